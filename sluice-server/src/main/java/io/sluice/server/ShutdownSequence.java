package io.sluice.server;

import io.vertx.core.Future;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The steps that stop a server, in the reverse order of its start, within one deadline. */
final class ShutdownSequence {
    private static final System.Logger LOG = System.getLogger("io.sluice.server");

    /** Extra time for each step after the deadline, so that a step can still report that it is done. */
    private static final Duration GRACE = Duration.ofMillis(500);

    private final Deque<Step> steps = new ArrayDeque<>();

    /** Stops one part of the server. */
    @FunctionalInterface
    interface Step {
        /**
         * Starts to stop the part.
         *
         * @param timeLeft the time until the deadline
         * @return completes when the part is stopped
         */
        Future<?> stop(Duration timeLeft) throws Exception;
    }

    void add(Step step) {
        steps.push(step);
    }

    void add(AutoCloseable part) {
        add(timeLeft -> {
            part.close();
            return Future.succeededFuture();
        });
    }

    /** Runs all steps. A step that fails does not stop the others. */
    void run(Duration deadline) {
        long end = System.nanoTime() + deadline.toNanos();
        while (!steps.isEmpty()) {
            Duration timeLeft = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
            try {
                steps.pop()
                        .stop(timeLeft)
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get(timeLeft.plus(GRACE).toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                LOG.log(Level.WARNING, "not everything stopped in time");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                end = System.nanoTime();
            } catch (ExecutionException e) {
                LOG.log(Level.WARNING, "a part of the server did not stop cleanly", e.getCause());
            } catch (Exception e) {
                LOG.log(Level.WARNING, "a part of the server did not stop cleanly", e);
            }
        }
    }
}
