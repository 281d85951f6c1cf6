package io.sluice.server;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.net.BindException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;

/** Opens the same listener on every event loop; they share the port. */
final class Listeners {
    private final Vertx vertx;
    private final int loops;
    private final List<Function<Duration, Future<?>>> stops = new CopyOnWriteArrayList<>();

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

    /**
     * @param stop stops accepting, and closes each connection: an idle one at once, others when what they asked for is
     *     answered, or the time is over. A stream without an end has to be ended by who feeds it.
     */
    void onStop(Function<Duration, Future<?>> stop) {
        stops.add(stop);
    }

    /** Ended when every connection has. */
    Future<?> stop(Duration within) {
        return Future.join(stops.stream().map(stop -> stop.apply(within)).toList());
    }

    /** Why a port could not be opened, in words. */
    static RuntimeException refused(String host, int port, Throwable cause) {
        String where =
                "cannot listen on " + new Endpoint("", host, port, "").uri().substring(3) + ": ";
        if (cause instanceof UnknownHostException || cause instanceof UnresolvedAddressException) {
            return new SettingException(where + "no such host (expected: an address of this machine)");
        } else if (cause instanceof BindException) {
            return new StartException(where + cause.getMessage());
        }
        return new StartException(where + cause);
    }
}
