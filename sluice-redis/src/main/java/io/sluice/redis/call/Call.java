package io.sluice.redis.call;

import io.sluice.Decision;
import io.sluice.TimeSource;
import io.sluice.redis.connect.Stalls;
import io.sluice.redis.limits.VersionedLimits;
import io.sluice.redis.local.LocalKey;
import io.sluice.redis.script.Bytes;
import io.sluice.redis.script.Reply;
import io.sluice.redis.script.Verb;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/*
 * A call is settled once: by Redis's answer, or without it when that fails or does not come in time. Whoever settles it
 * first decides what the caller hears. An answer that comes later still says what Redis has charged; if the caller was
 * told that it got nothing, that is given back.
 *
 * A caller may stop listening: it cancels the future, or a timeout of its own completes it. A call that still waits to be
 * sent is then dropped. If it is on its way, its answer finds nobody, and what Redis has charged is given back.
 */
/** One request of one caller, on its way to Redis and back. Never fails: without Redis, its limiter has an answer. */
abstract class Call<T> extends CompletableFuture<T> {
    /** More permits than any limit has, or could be owed. */
    private static final long MOST = 1L << 52;

    private static final VarHandle SETTLED;

    static {
        try {
            SETTLED = MethodHandles.lookup().findVarHandle(Call.class, "settled", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final Verb verb;
    final LimiterContext limiter;
    final String key;
    final long permits;

    /** When it was made, if time is virtual. */
    final long virtualMicros;

    /** When it was made, on the monotonic clock. */
    final long madeNanos;

    /** After this, on the monotonic clock, nobody waits for it any more. */
    final long deadline;

    /** What the memory of denials knew when this was made. */
    final int denialStamp;

    @SuppressWarnings("unused") // by SETTLED
    private volatile boolean settled;

    /** The key as this process knows it, if the limiter goes on by its share; from when this is sent. */
    @Nullable
    LocalKey local;

    /** Whether it was sent again because it seemed late. Only touched by whoever holds its batch. */
    boolean repeated;

    /** Whether it is to be sent alone, because those that it rode with could not be decided. */
    boolean alone;

    Call(Verb verb, LimiterContext limiter, String key, long permits) {
        this(verb, limiter, key, permits, limiter.coldStart.deadline(System.nanoTime()));
    }

    Call(Verb verb, LimiterContext limiter, String key, long permits, long deadline) {
        this.verb = verb;
        this.limiter = limiter;
        this.key = key;
        this.permits = Math.min(permits, MOST);
        TimeSource virtual = limiter.virtualTime;
        this.virtualMicros = virtual == null ? 0 : virtual.micros();
        this.madeNanos = System.nanoTime();
        this.deadline = deadline;
        this.denialStamp = limiter.denials.stamp(limiter, key);
    }

    /** What Redis answered, to this verb. */
    abstract void answer(Reply reply);

    /** The answer without Redis. */
    abstract T fallback();

    /** Gives back what an answer has charged that nobody hears. */
    abstract void giveBack(T answer);

    /** The terms of the limit that it brings, if it brings one. */
    @Nullable
    VersionedLimits callLimit() {
        return null;
    }

    /** The verb as the script is told it. */
    int code(Batch batch) {
        return verb.code();
    }

    /** What the verb needs besides, behind the request. */
    void encode(Bytes bytes, Batch batch) {}

    final boolean claim() {
        boolean first = SETTLED.compareAndSet(this, false, true);
        if (first) {
            settled();
        }
        return first;
    }

    /** Notes that it is about to be sent; says whether it may, or is to be answered without Redis. */
    boolean sending(Lane lane, LocalShares localShares) {
        if (!limiter.hasLocalShare()) {
            return true;
        }
        boolean decides = verb == Verb.CHECK || verb == Verb.TRY || verb == Verb.RESERVE;
        local = localShares.sent(limiter, key, chargeable(), decides, lane);
        return local != null;
    }

    /** The permits that Redis may charge for it. */
    long chargeable() {
        return switch (verb) {
            case CHECK, TRY, RESERVE, PENALIZE -> permits;
            default -> 0;
        };
    }

    /** It has an answer, from Redis or without it. */
    void settled() {
        if (local != null) {
            local.settled(chargeable());
        }
    }

    /** It was sent, and Redis has not done anything. */
    void nothingDone() {}

    /** It was sent, and nobody will say whether Redis has done it. */
    void outcomeUnknown() {}

    /** Whether its answer is known, or nobody waits for one any more. */
    final boolean isSettled() {
        return (boolean) SETTLED.getVolatile(this) || isDone();
    }

    final void fail() {
        if (claim()) {
            deliver(fallback());
        }
    }

    /** Tells the caller, or gives back what it does not want any more. */
    final void deliver(T answer) {
        if (!complete(answer)) {
            giveBack(answer);
        }
    }

    /** What is made of the answer, for a caller. Cancelling the stage is cancelling the call. */
    public final <R> CompletableFuture<R> stage(Function<T, R> made) {
        CompletableFuture<R> stage = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> {
            if (failure != null) {
                cancel(false);
            }
        });
        whenComplete((answer, failure) -> {
            if (failure == null && !stage.complete(made.apply(answer))) {
                // Cancelled in the very moment of the answer.
                giveBack(answer);
            }
        });
        return stage;
    }

    /** Whether what was decided then may still count; else, giving it back would give back what others use. */
    final boolean mayCount(Decision decision) {
        return limiter.virtualTime != null || (System.nanoTime() - madeNanos) / 1000 < decision.resetAfterMicros();
    }

    /** Blocks until it is settled, which happens by its deadline. */
    final T await(Stalls stalls) {
        boolean interrupted = false;
        boolean excused = false;
        try {
            while (true) {
                try {
                    long rest = stalls.rest(System.nanoTime(), deadline);
                    return get(rest, TimeUnit.NANOSECONDS);
                } catch (TimeoutException e) {
                    if (excused || stalls.isLate(System.nanoTime(), deadline)) {
                        fail();
                        return join();
                    }
                    excused = true;
                } catch (InterruptedException e) {
                    // The answer is due within the deadline; the caller finds itself interrupted afterwards.
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw new IllegalStateException(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
