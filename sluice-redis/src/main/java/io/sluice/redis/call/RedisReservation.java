package io.sluice.redis.call;

import io.sluice.Decision;
import io.sluice.Reservation;
import io.sluice.ReservationEndedException;
import io.sluice.redis.script.Arguments;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A reservation by Redis, or by the fallback of the limiter. */
public final class RedisReservation implements Reservation, Admission {
    /** Where the answer comes from. */
    private enum Source {
        LIMIT,
        PAUSE,
        FALLBACK
    }

    private final LimiterContext limiter;
    private final String key;
    private final long permits;
    private final boolean granted;
    private final long waitMicros;

    /** The receipt by which Redis gives the permits back; empty if there is nothing to give back. */
    private final byte[] receipt;

    /** Gives back permits of the local share. */
    private final Runnable cancelLocal;

    private final Source source;

    /** The virtual time of the request; 0 without virtual time. */
    private final long virtualMicros;

    private final AtomicBoolean ended = new AtomicBoolean();

    private RedisReservation(
            ReserveCall call, boolean granted, long waitMicros, byte[] receipt, Runnable cancelLocal, Source source) {
        this.limiter = call.limiter;
        this.key = call.key;
        this.permits = call.permits;
        this.virtualMicros = call.virtualMicros;
        this.granted = granted;
        this.waitMicros = waitMicros;
        this.receipt = receipt;
        this.cancelLocal = cancelLocal;
        this.source = source;
    }

    public static RedisReservation of(ReserveCall call, boolean granted, long waitMicros, byte[] receipt) {
        return new RedisReservation(call, granted, waitMicros, receipt, () -> {}, Source.LIMIT);
    }

    static RedisReservation degraded(ReserveCall call, boolean granted, long waitMicros, Runnable cancelLocal) {
        return new RedisReservation(call, granted, waitMicros, new byte[0], cancelLocal, Source.FALLBACK);
    }

    /** Not granted, because the key is paused. */
    static RedisReservation paused(ReserveCall call, long waitMicros) {
        return new RedisReservation(call, false, waitMicros, new byte[0], () -> {}, Source.PAUSE);
    }

    /** Not granted: the caller must ask Redis as soon as it answers again. */
    static RedisReservation awaitingRedis(ReserveCall call) {
        return degraded(call, false, 0, () -> {});
    }

    @Override
    public boolean awaitsRedis() {
        return isDegraded() && !granted && waitMicros == 0;
    }

    @Override
    public long waitMicros() {
        return waitMicros;
    }

    @Override
    public long virtualMicros() {
        return virtualMicros;
    }

    @Override
    public boolean isDegraded() {
        return source == Source.FALLBACK;
    }

    @Override
    public boolean isPaused() {
        return source == Source.PAUSE;
    }

    @Override
    public boolean granted() {
        return granted;
    }

    /** A permit of a limiter without concurrency limits. A caller that has waited does not know what remains. */
    @Override
    public Optional<RedisPermit> permit() {
        Decision decision = Decision.allowed(0, 0, 0);
        return granted
                ? Optional.of(RedisPermit.ofNothing(
                        limiter, key, isDegraded() ? decision.asDegraded() : decision, this::cancelAsync))
                : Optional.empty();
    }

    @Override
    public Duration delay() {
        if (!granted) {
            throw new IllegalStateException("limiter \"" + limiter.name + "\", key \"" + key
                    + "\": not granted (expected: granted() before delay())");
        }
        return Duration.of(waitMicros, ChronoUnit.MICROS);
    }

    @Override
    public Duration retryAfter() {
        if (granted) {
            return Duration.ZERO;
        }
        return waitMicros == Decision.NEVER
                ? ChronoUnit.FOREVER.getDuration()
                : Duration.of(waitMicros, ChronoUnit.MICROS);
    }

    @Override
    public void cancel() {
        ChangeCall call = giveBack();
        if (call != null) {
            limiter.await(call);
        }
    }

    @Override
    public CompletionStage<Void> cancelAsync() {
        ChangeCall call = giveBack();
        return call == null ? CompletableFuture.completedFuture(null) : call.done();
    }

    @Override
    public void settle(long actual) {
        ChangeCall call = change(actual);
        if (call != null) {
            limiter.await(call);
        }
    }

    @Override
    public CompletionStage<Void> settleAsync(long actual) {
        try {
            ChangeCall call = change(actual);
            return call == null ? CompletableFuture.completedFuture(null) : call.done();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** The call that replaces the permits by those that were really used; null if there is nothing to change. */
    private @Nullable ChangeCall change(long actual) {
        Arguments.require(key, actual);
        if (!granted) {
            throw new IllegalStateException("limiter \"" + limiter.name + "\", key \"" + key
                    + "\": not granted (expected: granted() before settle())");
        }
        if (!ended.compareAndSet(false, true)) {
            throw new ReservationEndedException("limiter \"" + limiter.name + "\", key \"" + key
                    + "\": the reservation has ended (expected: settle or cancel once)");
        }
        if (actual > permits) {
            return limiter.changes().penalize(key, actual - permits);
        }
        return actual == permits || receipt.length == 0
                ? null
                : limiter.changes().undo(key, permits, permits - actual, receipt);
    }

    private @Nullable ChangeCall giveBack() {
        if (!granted || !ended.compareAndSet(false, true)) {
            return null;
        }
        cancelLocal.run();
        return receipt.length == 0 ? null : limiter.changes().cancel(key, permits, receipt);
    }
}
