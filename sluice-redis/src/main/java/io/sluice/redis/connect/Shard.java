package io.sluice.redis.connect;

import dev.failsafe.CircuitBreaker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/*
 * Redis and this process have different clocks. Each answer brings the time of Redis, which lies between sending and
 * receiving; taking it for the time of receiving gives a lower bound of the difference of the clocks, and the largest of
 * some is the best. So a deadline can be told to Redis in its own time, never later than it really is: what Redis would
 * only get to after that, it leaves undone.
 */
/** One Redis server, as seen from here: whether it answers, and how its clock stands to ours. */
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

    /** @param offset microseconds that Redis's clock is ahead of our monotonic one, at least */
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

    /** Why it did not answer what it was asked last, if that was so. */
    @Nullable
    Failure failure() {
        return failure;
    }

    /** Somebody was told without it, but it lives: the next may try at once. */
    public void answeredLate() {
        if (breaker.isOpen()) {
            breaker.halfOpen();
        }
    }

    /** It answers, though not to what was asked. */
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

    /** Its clock was set: what was known of it is wrong. */
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

    /** A moment of our monotonic clock on that of Redis, or earlier; 0 if nothing is known. */
    public synchronized long redisMicros(long nanos) {
        if (best == null) {
            return 0;
        }
        long offset = bestBefore == null ? best.offset() : Math.max(best.offset(), bestBefore.offset());
        return nanos / 1000 + offset;
    }
}
