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

/** Opens the same port on every event loop, and closes all of them when the server stops. */
final class Listeners {
    private final Vertx vertx;
    private final int eventLoops;
    private final List<Function<Duration, Future<?>>> stops = new CopyOnWriteArrayList<>();

    Listeners(Vertx vertx, int eventLoops) {
        this.vertx = vertx;
        this.eventLoops = eventLoops;
    }

    /** The port for Vert.x. Listeners that share a free port use a negative number. */
    static int portToBind(int port) {
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
                new DeploymentOptions().setInstances(eventLoops));
    }

    /**
     * @param stop stops accepting, and closes each connection: an idle one at once, others when their requests are answered or
     *     the time is over. An endless stream must be ended by its producer.
     */
    void onStop(Function<Duration, Future<?>> stop) {
        stops.add(stop);
    }

    /** Completes when every connection is closed. */
    Future<?> stop(Duration timeout) {
        return Future.join(stops.stream().map(stop -> stop.apply(timeout)).toList());
    }

    /** The exception for a port that could not be opened. */
    static RuntimeException cannotListen(String host, int port, Throwable cause) {
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
