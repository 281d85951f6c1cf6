package io.sluice.server;

import io.vertx.core.Future;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What has to be stopped when a server is, the last that was started first, within one deadline. */
final class Stops {
    private static final System.Logger LOG = System.getLogger("io.sluice.server");

    /** What is left for those who come late: they must be given the chance to say that they are done. */
    private static final Duration GRACE = Duration.ofMillis(500);

    private final Deque<Stop> stops = new ArrayDeque<>();

    /** Stops a part. */
    @FunctionalInterface
    interface Stop {
        /**
         * Begins to stop it.
         *
         * @param left how much time there is
         */
        Future<?> stop(Duration left) throws Exception;
    }

    void add(Stop stop) {
        stops.push(stop);
    }

    void add(AutoCloseable part) {
        add(left -> {
            part.close();
            return Future.succeededFuture();
        });
    }

    /** Stops everything; what fails does not keep the others. */
    void all(Duration deadline) {
        long end = System.nanoTime() + deadline.toNanos();
        while (!stops.isEmpty()) {
            Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
            try {
                stops.pop()
                        .stop(left)
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get(left.plus(GRACE).toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                LOG.log(Level.WARNING, "not everything has ended in time");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                end = System.nanoTime();
            } catch (ExecutionException e) {
                LOG.log(Level.WARNING, "while stopping", e.getCause());
            } catch (Exception e) {
                LOG.log(Level.WARNING, "while stopping", e);
            }
        }
    }
}
