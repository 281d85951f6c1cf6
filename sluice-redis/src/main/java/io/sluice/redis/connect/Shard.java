package io.sluice.redis.connect;

import dev.failsafe.CircuitBreaker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/*
 * Redis and this process have different clocks. Each answer contains the time of Redis, which lies between sending and
 * receiving. If we take it for the time of receiving, we get a lower bound of the difference of the clocks. The largest of
 * several such bounds is the best. So we can send Redis a deadline in its own time that is never later than the real one.
 * A call that Redis would execute after its deadline is not executed.
 */
/** One Redis server: whether it answers, and the difference of its clock to ours. */
public final class Shard {
    private static final long WINDOW_NANOS = Duration.ofSeconds(1).toNanos();

    private final CircuitBreaker<Object> breaker = CircuitBreaker.builder()
            .withFailureThreshold(2)
            .withSuccessThreshold(1)
            .withDelay(Duration.ofMillis(250))
            .build();

    private volatile @Nullable Failure failure;
    private @Nullable Sample best;
    private @Nullable Sample bestBefore;

    /** @param offset a lower bound of the microseconds by which the clock of Redis is ahead of our monotonic clock */
    private record Sample(long takenNanos, long offset) {}

    /**
     * A call that the server did not answer.
     *
     * @param nanos the time of the failure, on the monotonic clock
     */
    public record Failure(Throwable cause, long nanos) {}

    public boolean mayAsk() {
        return breaker.tryAcquirePermit();
    }

    boolean isOpen() {
        return breaker.isOpen() && breaker.getRemainingDelay().toNanos() > 0;
    }

    public void failed(Throwable cause) {
        failure = new Failure(cause, System.nanoTime());
        breaker.recordFailure();
    }

    /** Why the server did not answer its latest call; null if it did. */
    @Nullable
    Failure failure() {
        return failure;
    }

    /** The server has answered after the deadline. It is alive, so the next call may try it at once. */
    public void answeredLate() {
        if (breaker.isOpen()) {
            breaker.halfOpen();
        }
    }

    /** The server has answered with an error that says nothing about its health. */
    public void refused() {
        breaker.recordSuccess();
    }

    public void answered(long redisMicros, long receivedNanos) {
        breaker.recordSuccess();
        if (failure != null) {
            failure = null;
        }
        sample(redisMicros, receivedNanos, false);
    }

    /** The clock of the server was set, so earlier samples are wrong. */
    public void resync(long redisMicros, long receivedNanos) {
        sample(redisMicros, receivedNanos, true);
    }

    private synchronized void sample(long redisMicros, long receivedNanos, boolean anew) {
        Sample sample = new Sample(receivedNanos, redisMicros - receivedNanos / 1000);
        Sample known = best;
        if (known == null || anew) {
            best = sample;
            bestBefore = null;
        } else if (receivedNanos - known.takenNanos() > WINDOW_NANOS) {
            bestBefore = known;
            best = sample;
        } else if (sample.offset() > known.offset()) {
            best = new Sample(known.takenNanos(), sample.offset());
        }
    }

    synchronized void forgetClock() {
        best = null;
        bestBefore = null;
    }

    /** Converts a time of our monotonic clock to the clock of the server, or to an earlier time; 0 if nothing is known. */
    public synchronized long redisMicros(long nanos) {
        if (best == null) {
            return 0;
        }
        long offset = bestBefore == null ? best.offset() : Math.max(best.offset(), bestBefore.offset());
        return nanos / 1000 + offset;
    }
}
