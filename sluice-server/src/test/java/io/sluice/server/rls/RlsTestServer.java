package io.sluice.server.rls;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.sluice.memory.MemoryStore;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.envoy.EnvoyConfig;
import io.sluice.server.decide.MaxCallPeriod;
import io.sluice.server.decide.RequestDecider;
import io.sluice.spi.PolicyStore;
import io.sluice.testkit.ManualTime;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The gRPC services on a free port, with manual time and a grpc-java client. */
final class RlsTestServer implements AutoCloseable {
    final ManualTime time = new ManualTime();
    final AtomicBoolean ready = new AtomicBoolean(true);
    final ManagedChannel channel;
    final int port;
    private final Vertx vertx = Vertx.vertx();
    final PolicyStore store;
    final PolicyEngine engine;

    private RlsTestServer(
            @Nullable PolicyStore shared,
            UnaryOperator<PolicyEngine.Builder> policies,
            UnaryOperator<GrpcServices> options) {
        this(shared, policies, options, new MaxCallPeriod(MaxCallPeriod.DEFAULT));
    }

    private RlsTestServer(
            @Nullable PolicyStore shared,
            UnaryOperator<PolicyEngine.Builder> policies,
            UnaryOperator<GrpcServices> options,
            MaxCallPeriod periods) {
        store = shared == null ? MemoryStore.builder().time(time).build() : shared;
        engine = policies.apply(PolicyEngine.builder().store(store).time(time)).build();
        GrpcServices rls = new GrpcServices(
                        new RequestDecider(engine, shared == null), store.callLimiter("\nrls"), periods)
                .ready(ready::get);
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

    /** @param policies the YAML under {@code policies:} */
    static RlsTestServer by(String policies) {
        return by(policies, rls -> rls);
    }

    static RlsTestServer by(String policies, UnaryOperator<GrpcServices> options, MaxCallPeriod periods) {
        Policies parsed = Policies.parse("version: 1\npolicies:\n" + policies, "test.yaml");
        return new RlsTestServer(null, builder -> builder.policies(parsed), options, periods);
    }

    static RlsTestServer by(String policies, UnaryOperator<GrpcServices> options) {
        Policies parsed = Policies.parse("version: 1\npolicies:\n" + policies, "test.yaml");
        return new RlsTestServer(null, builder -> builder.policies(parsed), options);
    }

    /** @param shared the store if it is not memory; closed with this */
    static RlsTestServer by(Policies policies, @Nullable PolicyStore shared) {
        return new RlsTestServer(shared, builder -> builder.policies(policies), rls -> rls);
    }

    static RlsTestServer by(EnvoyConfig config) {
        return by(config, null);
    }

    /** @param shared the store if it is not memory; closed with this */
    static RlsTestServer by(EnvoyConfig config, @Nullable PolicyStore shared) {
        return new RlsTestServer(shared, builder -> builder.envoy(config), rls -> rls.matchingEnvoyFiles(true));
    }

    @Override
    public void close() {
        channel.shutdownNow();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        engine.close();
        store.close();
    }
}
