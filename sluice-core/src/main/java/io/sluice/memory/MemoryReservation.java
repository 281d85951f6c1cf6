package io.sluice.memory;

import io.sluice.Decision;
import io.sluice.Reservation;
import io.sluice.ReservationEndedException;
import io.sluice.exact.Exact;
import io.sluice.memory.keys.Receipt;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** A reservation of a {@link MemoryLimiter}. Thread-safe. */
final class MemoryReservation implements Reservation, Ask.Answer<MemoryReservation> {
    private final MemoryLimiter limiter;
    private final String key;
    private final long permits;
    private final boolean granted;
    private final long waitMicros;
    private final List<Receipt> receipts;
    private final AtomicBoolean ended = new AtomicBoolean();

    MemoryReservation(
            MemoryLimiter limiter, String key, long permits, boolean granted, long waitMicros, List<Receipt> receipts) {
        this.limiter = limiter;
        this.key = key;
        this.permits = permits;
        this.granted = granted;
        this.waitMicros = waitMicros;
        this.receipts = receipts;
    }

    @Override
    public boolean granted() {
        return granted;
    }

    /** The delay if granted. Otherwise the time after which to try again, or {@link Decision#NEVER}. */
    @Override
    public long waitMicros() {
        return waitMicros;
    }

    @Override
    public long leastMicros() {
        return waitMicros;
    }

    @Override
    public MemoryReservation result() {
        return this;
    }

    @Override
    public Duration delay() {
        if (!granted) {
            throw new IllegalStateException("limiter \"" + limiter.name() + "\", key \"" + key + "\": " + permits
                    + " permits were not reserved (expected: granted() before delay())");
        }
        return Exact.duration(waitMicros);
    }

    @Override
    public Duration retryAfter() {
        if (granted) {
            return Duration.ZERO;
        }
        return waitMicros == Decision.NEVER ? ChronoUnit.FOREVER.getDuration() : Exact.duration(waitMicros);
    }

    @Override
    public void cancel() {
        if (granted && ended.compareAndSet(false, true)) {
            limiter.giveBack(key, permits, receipts);
        }
    }

    @Override
    public void settle(long actual) {
        MemoryLimiter.requirePermits(actual);
        if (!granted) {
            throw new IllegalStateException("limiter \"" + limiter.name() + "\", key \"" + key + "\": " + permits
                    + " permits were not reserved (expected: granted() before settle())");
        }
        if (!ended.compareAndSet(false, true)) {
            throw new ReservationEndedException("limiter \"" + limiter.name() + "\", key \"" + key
                    + "\": the reservation has ended (expected: settle or cancel once)");
        }
        limiter.settle(key, permits, actual, receipts);
    }

    @Override
    public CompletionStage<Void> settleAsync(long actual) {
        try {
            settle(actual);
            return CompletableFuture.completedFuture(null);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletionStage<Void> cancelAsync() {
        cancel();
        return CompletableFuture.completedFuture(null);
    }
}
