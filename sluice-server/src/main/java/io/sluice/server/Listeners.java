package io.sluice.server;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.util.function.Supplier;

/** Opens the same listener on every event loop; they share the port. */
final class Listeners {
    private final Vertx vertx;
    private final int loops;

    Listeners(Vertx vertx, int loops) {
        this.vertx = vertx;
        this.loops = loops;
    }

    /** The port to ask for: those that share a free one ask for a negative one. */
    static int asked(int port) {
        return port == 0 ? -1 : port;
    }

    /** @param listen opens the listener on the event loop that calls it */
    Future<?> open(Supplier<Future<?>> listen) {
        return vertx.deployVerticle(
                () -> new VerticleBase() {
                    @Override
                    public Future<?> start() {
                        return listen.get();
                    }
                },
                new DeploymentOptions().setInstances(loops));
    }
}
