package io.sluice.server.rls;

import com.google.protobuf.InvalidProtocolBufferException;
import io.sluice.server.rls.proto.HealthCheckRequest;
import io.sluice.server.rls.proto.HealthCheckResponse;
import io.sluice.server.rls.proto.HealthCheckResponse.ServingStatus;
import io.vertx.core.Vertx;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Tells gRPC clients whether to come here. */
final class HealthService {
    static final String NAME = "grpc.health.v1.Health";

    /** How often who watches is told, if there is news. */
    private static final long LOOK_MILLIS = 500;

    private final Vertx vertx;
    private final BooleanSupplier ready;
    private final BooleanSupplier stopping;
    private final Set<String> services;

    /** @param services those it knows; the empty name is the server */
    HealthService(Vertx vertx, BooleanSupplier ready, BooleanSupplier stopping, Set<String> services) {
        this.vertx = vertx;
        this.ready = ready;
        this.stopping = stopping;
        this.services = services;
    }

    void addTo(GrpcHandler handler) {
        handler.add("/" + NAME + "/Check", this::check).add("/" + NAME + "/Watch", this::watch);
    }

    private void check(byte[] message, GrpcReply reply) throws InvalidProtocolBufferException {
        String service = HealthCheckRequest.parseFrom(message).getService();
        if (!services.contains(service)) {
            throw new GrpcException(GrpcStatus.NOT_FOUND, "no such service: " + service);
        }
        reply.answer(said(status(service)));
    }

    private void watch(byte[] message, GrpcReply reply) throws InvalidProtocolBufferException {
        String service = HealthCheckRequest.parseFrom(message).getService();
        new Watcher(service, reply).start();
    }

    private ServingStatus status(String service) {
        if (!services.contains(service)) {
            return ServingStatus.SERVICE_UNKNOWN;
        }
        return ready.getAsBoolean() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
    }

    private static HealthCheckResponse said(ServingStatus status) {
        return HealthCheckResponse.newBuilder().setStatus(status).build();
    }

    /** Who hears of changes, for as long as it listens. */
    private final class Watcher {
        private final String service;
        private final GrpcReply reply;
        private ServingStatus told = ServingStatus.UNKNOWN;

        Watcher(String service, GrpcReply reply) {
            this.service = service;
            this.reply = reply;
        }

        void start() {
            tell();
            vertx.setPeriodic(LOOK_MILLIS, timer -> {
                if (reply.isOver()) {
                    vertx.cancelTimer(timer);
                } else {
                    tell();
                }
            });
        }

        private void tell() {
            ServingStatus now = status(service);
            if (now != told) {
                told = now;
                reply.send(said(now));
            }
            if (stopping.getAsBoolean()) {
                reply.fail(GrpcStatus.UNAVAILABLE, "the server is stopping");
            }
        }
    }
}
