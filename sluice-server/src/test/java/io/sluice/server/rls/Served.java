package io.sluice.server.rls;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.sluice.memory.MemoryStore;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.envoy.EnvoyConfig;
import io.sluice.server.decide.CallPeriod;
import io.sluice.server.decide.Checks;
import io.sluice.spi.PolicyStore;
import io.sluice.testkit.ManualTime;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The gRPC services on a free port, with time by hand, and a client of grpc-java's. */
final class Served implements AutoCloseable {
    final ManualTime time = new ManualTime();
    final AtomicBoolean ready = new AtomicBoolean(true);
    final ManagedChannel channel;
    final int port;
    private final Vertx vertx = Vertx.vertx();
    final PolicyStore store;
    final PolicyEngine engine;

    private Served(
            @Nullable PolicyStore shared, UnaryOperator<PolicyEngine.Builder> policies, UnaryOperator<Rls> options) {
        this(shared, policies, options, new CallPeriod(CallPeriod.USUAL));
    }

    private Served(
            @Nullable PolicyStore shared,
            UnaryOperator<PolicyEngine.Builder> policies,
            UnaryOperator<Rls> options,
            CallPeriod periods) {
        store = shared == null ? MemoryStore.builder().time(time).build() : shared;
        engine = policies.apply(PolicyEngine.builder().store(store).time(time)).build();
        Rls rls = new Rls(new Checks(engine, shared == null), store.callLimiter("\nrls"), periods).ready(ready::get);
        GrpcHandler handler = options.apply(rls).handler(vertx);
        HttpServer server = vertx.createHttpServer().requestHandler(request -> {
            if (GrpcHandler.isGrpc(request)) {
                handler.handle(request);
            } else {
                request.response().setStatusCode(404).end("not gRPC");
            }
        });
        port = server.listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join()
                .actualPort();
        channel =
                NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    }

    /** @param policies what stands under {@code policies:} */
    static Served by(String policies) {
        return by(policies, rls -> rls);
    }

    static Served by(String policies, UnaryOperator<Rls> options, CallPeriod periods) {
        Policies parsed = Policies.parse("version: 1\npolicies:\n" + policies, "test.yaml");
        return new Served(null, builder -> builder.policies(parsed), options, periods);
    }

    static Served by(String policies, UnaryOperator<Rls> options) {
        Policies parsed = Policies.parse("version: 1\npolicies:\n" + policies, "test.yaml");
        return new Served(null, builder -> builder.policies(parsed), options);
    }

    static Served by(EnvoyConfig config) {
        return by(config, null);
    }

    /** @param shared the store, where it is not memory; closed with this */
    static Served by(EnvoyConfig config, @Nullable PolicyStore shared) {
        return new Served(shared, builder -> builder.envoy(config), rls -> rls.matchingEnvoyFiles(true));
    }

    @Override
    public void close() {
        channel.shutdownNow();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        engine.close();
        store.close();
    }
}
