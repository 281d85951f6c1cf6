package io.sluice.server.resp;

import io.sluice.CallLimiter;
import io.sluice.TimeSource;
import io.sluice.memory.MemoryStore;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.server.decide.MaxCallPeriod;
import io.sluice.server.decide.RequestDecider;
import io.sluice.server.guard.AuthAttempts;
import io.sluice.server.wire.RespClient;
import io.sluice.spi.PolicyStore;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A RESP listener on a store of the test. */
final class RespServer implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final PolicyEngine engine;

    /** The bounds of its connections. */
    final RespLimits limits;

    private volatile int port;

    RespServer(PolicyStore store, String policies, @Nullable String password, Duration patience) {
        this(store, policies, password, patience, Duration.ofMinutes(1), 16 * 1024 * 1024);
    }

    RespServer(
            PolicyStore store,
            String policies,
            @Nullable String password,
            Duration patience,
            Duration authTimeout,
            long mostKept) {
        limits = new RespLimits(patience, authTimeout, mostKept, attempts());
        engine = PolicyEngine.builder()
                .store(store)
                .policies(Policies.parse(policies, "test.yaml"))
                .build();
        boolean atOnce = store instanceof MemoryStore;
        CallLimiter calls = store.callLimiter("\nthrottle");
        MaxCallPeriod maxPeriod = new MaxCallPeriod(MaxCallPeriod.DEFAULT);
        vertx.deployVerticle(new VerticleBase() {
                    @Override
                    public Future<?> start() {
                        return vertx.createNetServer()
                                .connectHandler(new RespConnections(
                                        vertx,
                                        new RequestDecider(engine, atOnce),
                                        calls,
                                        maxPeriod,
                                        atOnce,
                                        password,
                                        limits))
                                .listen(0, "127.0.0.1")
                                .onSuccess(server -> port = server.actualPort());
                    }
                })
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    private AuthAttempts attempts() {
        return new AuthAttempts(
                "resp-password",
                (delay, task) -> vertx.setTimer(delay.toMillis(), unused -> task.run()),
                TimeSource.system());
    }

    static RespServer on(PolicyStore store) {
        return new RespServer(store, "version: 1\npolicies: []\n", null, Duration.ofMinutes(1));
    }

    RespClient connect() {
        return new RespClient(port);
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
        engine.close();
    }
}
