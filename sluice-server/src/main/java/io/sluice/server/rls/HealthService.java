package io.sluice.server.rls;

import com.google.protobuf.InvalidProtocolBufferException;
import io.sluice.server.rls.HealthWatches.Health;
import io.sluice.server.rls.proto.HealthCheckRequest;
import io.sluice.server.rls.proto.HealthCheckResponse;
import io.sluice.server.rls.proto.HealthCheckResponse.ServingStatus;
import java.util.Set;
import java.util.function.Supplier;

/** The gRPC health service: tells clients whether this server is ready. */
final class HealthService {
    static final String NAME = "grpc.health.v1.Health";

    private final Supplier<Health> health;
    private final Set<String> services;
    private final HealthWatches watches;

    /** @param services the names of the known services; the empty name is the whole server */
    HealthService(Supplier<Health> health, Set<String> services, HealthWatches watches) {
        this.health = health;
        this.services = services;
        this.watches = watches;
    }

    void addTo(GrpcHandler handler) {
        handler.add("/" + NAME + "/Check", this::check).add("/" + NAME + "/Watch", this::watch);
    }

    private void check(byte[] message, GrpcReply reply) throws InvalidProtocolBufferException {
        String service = HealthCheckRequest.parseFrom(message).getService();
        if (!services.contains(service)) {
            throw new GrpcException(GrpcStatus.NOT_FOUND, "no such service: " + service);
        }
        reply.answer(response(health.get().status(true)));
    }

    private void watch(byte[] message, GrpcReply reply) throws InvalidProtocolBufferException {
        String service = HealthCheckRequest.parseFrom(message).getService();
        watches.add(reply, services.contains(service));
    }

    static HealthCheckResponse response(ServingStatus status) {
        return HealthCheckResponse.newBuilder().setStatus(status).build();
    }
}
