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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/*
 * A call is settled once: by the answer of Redis, or by the limiter's fallback if the answer fails or does not come in time.
 * The first of both determines what the caller gets. A late answer still says what Redis has charged. If the caller got no
 * permits, they are given back.
 *
 * A caller may stop waiting: it cancels the future, or a timeout of its own completes it. A call that was not sent yet is
 * then dropped. If the call is on its way, the permits that Redis charges for it are given back.
 */
/** One request of one caller to Redis. It never fails: without Redis, the limiter's {@link Fallback} answers. */
abstract class Call<T> extends CompletableFuture<T> {
    /** More permits than any limit has or can owe. */
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

    /** The virtual time at which the call was made; 0 without virtual time. */
    final long virtualMicros;

    /** When the call was made, on the monotonic clock. */
    final long madeNanos;

    /** When the caller stops waiting, on the monotonic clock. */
    final long deadline;

    /** The stamp of the {@link DenialMemory} when the call was made. */
    final int denialStamp;

    @SuppressWarnings("unused") // by SETTLED
    private volatile boolean settled;

    /** The account of the key, if the limiter has a local share; set when the call is sent. */
    @Nullable
    LocalKey local;

    /** Whether it was already sent again. Only the owner of its batch reads or writes this. */
    boolean repeated;

    /** Whether it must be sent in a batch of its own, because Redis could not decide its former batch. */
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

    /** Reads the answer of Redis. */
    abstract void answer(Reply reply);

    /** Answers without Redis. */
    abstract T fallback();

    /** Gives back the permits of an answer that the caller does not want any more. */
    abstract void giveBack(T answer);

    /** The limit that comes with the call; null for a limiter that has its limits itself. */
    @Nullable
    VersionedLimits callLimit() {
        return null;
    }

    /** The charges of a call on several keys; empty for a call on one key. No key occurs twice. */
    List<KeyCharge> charges() {
        return List.of();
    }

    /**
     * The number that the script calls times.
     *
     * @param merged how many identical calls are one request
     */
    int times(int merged) {
        return charges().isEmpty() ? merged : charges().size();
    }

    /** The number of the verb for the script. */
    int code(Batch batch) {
        return verb.code();
    }

    /** The ids of holds that the request makes together with others; null for a request that makes none, or has an id itself. */
    @Nullable
    Entering entering() {
        return null;
    }

    /** Encodes further arguments of the verb, after the request. */
    void encode(Bytes bytes, Batch batch) {}

    final boolean claim() {
        boolean first = SETTLED.compareAndSet(this, false, true);
        if (first) {
            settled();
        }
        return first;
    }

    /** Prepares the call for sending. Returns false if it must be answered without Redis. */
    boolean sending(Lane lane, LocalShares localShares) {
        if (!limiter.hasLocalShare()) {
            return true;
        }
        local = localShares.sent(limiter, key, chargeable(), verb.takes(), lane);
        return local != null;
    }

    /** The permits that Redis may charge for the call. */
    long chargeable() {
        return switch (verb) {
            case CHECK, TRY, ENTER, TRY_ENTER, RESERVE, PENALIZE -> permits;
            default -> 0;
        };
    }

    /** The call has its answer, from Redis or without it. */
    void settled() {
        if (local != null) {
            local.settled(chargeable());
        }
    }

    /** The call was sent, and Redis has not executed it. */
    void nothingDone() {}

    /** The call was sent, and it will never be known whether Redis has executed it. */
    void outcomeUnknown() {}

    /** Whether the call has its answer, or its caller has stopped waiting. */
    final boolean isSettled() {
        return (boolean) SETTLED.getVolatile(this) || isDone();
    }

    final void fail() {
        if (claim()) {
            deliver(fallback());
        }
    }

    /** Gives the answer to the caller, or gives the permits back if the caller has stopped waiting. */
    final void deliver(T answer) {
        if (!complete(answer)) {
            giveBack(answer);
        }
    }

    /** A stage for the caller, with a value made from the answer. Cancelling the stage cancels the call. */
    public final <R> CompletableFuture<R> stage(Function<T, R> made) {
        CompletableFuture<R> stage = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> {
            if (failure != null) {
                cancel(false);
            }
        });
        whenComplete((answer, failure) -> {
            if (failure == null && !stage.complete(made.apply(answer))) {
                // The caller has cancelled the stage at the same moment.
                giveBack(answer);
            }
        });
        return stage;
    }

    /** Whether permits that were charged then may still count. If not, a refund would give back permits of other callers. */
    final boolean mayCount(Decision decision) {
        return limiter.virtualTime != null || (System.nanoTime() - madeNanos) / 1000 < decision.resetAfterMicros();
    }

    /** Blocks until the call is settled, which happens by its deadline. */
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
                    // The answer comes by the deadline. The interrupt status is set again afterwards.
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
