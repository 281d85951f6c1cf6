package io.sluice.server.rls;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.sluice.MemoryStore;
import io.sluice.policy.EnvoyConfig;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.server.decide.CallPeriod;
import io.sluice.server.decide.Checks;
import io.sluice.testkit.ManualTime;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** The gRPC services on a free port, with time by hand, and a client of grpc-java's. */
final class Served implements AutoCloseable {
    final ManualTime time = new ManualTime();
    final AtomicBoolean ready = new AtomicBoolean(true);
    final ManagedChannel channel;
    final int port;
    private final Vertx vertx = Vertx.vertx();
    final MemoryStore store = MemoryStore.builder().time(time).build();
    private final PolicyEngine engine;

    private Served(Policies policies, UnaryOperator<Rls> options) {
        this(policies, options, new CallPeriod(CallPeriod.USUAL));
    }

    private Served(Policies policies, UnaryOperator<Rls> options, CallPeriod periods) {
        engine = PolicyEngine.builder()
                .policies(policies)
                .store(store)
                .time(time)
                .build();
        Rls rls = new Rls(new Checks(engine, true), store.callLimiter("\nrls"), periods).ready(ready::get);
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
        return new Served(Policies.parse("version: 1\npolicies:\n" + policies, "test.yaml"), options, periods);
    }

    static Served by(String policies, UnaryOperator<Rls> options) {
        return new Served(Policies.parse("version: 1\npolicies:\n" + policies, "test.yaml"), options);
    }

    static Served by(EnvoyConfig config) {
        return by(config, () -> config);
    }

    /** @param matching by what descriptors match, which may be late */
    static Served by(EnvoyConfig config, Supplier<EnvoyConfig> matching) {
        return new Served(config.policies(), rls -> rls.matching(matching));
    }

    @Override
    public void close() {
        channel.shutdownNow();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        engine.close();
        store.close();
    }
}
