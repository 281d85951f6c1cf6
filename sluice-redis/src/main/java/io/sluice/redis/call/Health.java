package io.sluice.redis.call;

import io.sluice.TimeSource;
import io.sluice.redis.connect.Connection;
import io.sluice.redis.connect.FailureReasons;
import io.sluice.redis.connect.Link;
import io.sluice.redis.connect.NoAnswerException;
import io.sluice.redis.connect.Shard;
import io.sluice.redis.connect.Shard.Failure;
import io.sluice.redis.connect.Shards;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Knows whether Redis answers, and reports when that changes. */
public final class Health {
    /** A failure counts for so long. After that, the server may be well again, or may be gone for good. */
    private static final long FAILING_NANOS = 1_000_000_000L;

    private final Connection connection;
    private final Shards shards;
    private final ColdStart coldStart;
    private final Events events;
    private final DenialMemory denials;
    private final Runnable answered;
    private final DegradedLog log;

    /** Whether a call was answered without Redis since the latest answer of Redis. */
    private final AtomicBoolean degrading = new AtomicBoolean();

    /** How often Redis has come back. */
    private volatile long returns;

    /** Tasks that run when Redis comes back. */
    private final Set<Runnable> onceBack = ConcurrentHashMap.newKeySet();
    /** The latest error of Redis that says nothing about its health; null if there was none. */
    private volatile @Nullable Failure refusal;

    /** @param answered runs whenever Redis has answered in time */
    public Health(
            Connection connection,
            Shards shards,
            ColdStart coldStart,
            Events events,
            DenialMemory denials,
            Runnable answered) {
        this.connection = connection;
        this.shards = shards;
        this.coldStart = coldStart;
        this.events = events;
        this.denials = denials;
        this.answered = answered;
        this.log = new DegradedLog(TimeSource.system(), events);
    }

    public boolean isGood() {
        Link link = connection.link();
        return link != null && link.isOpen() && !shards.isAnyOpen() && !degrading.get();
    }

    /** Redis has decided a batch in time. */
    void called(Batch batch, long nanos) {
        connection.answered();
        coldStart.answered(batch, nanos);
        answered();
        events.called(batch.size(), nanos);
    }

    /** Redis has answered in time. If it was away, remembered denials may be wrong by now. */
    public void answered() {
        if (degrading.get() && degrading.compareAndSet(true, false)) {
            denials.forgetAll();
            cameBack();
        }
        if (log.isDegraded() && !isFailing()) {
            log.ended();
        }
        answered.run();
    }

    /** Whether a call was answered without Redis since the latest answer of Redis. */
    boolean isDegrading() {
        return degrading.get();
    }

    /** Whether a server has just failed to answer. */
    private boolean isFailing() {
        return isRecent(shards.failure());
    }

    private static boolean isRecent(@Nullable Failure failure) {
        return failure != null && System.nanoTime() - failure.nanos() < FAILING_NANOS;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // it only has to become another number
    private void cameBack() {
        returns++;
        for (Runnable task : List.copyOf(onceBack)) {
            if (onceBack.remove(task)) {
                task.run();
            }
        }
    }

    /** How often Redis has come back. A caller that notes this number before its call does not miss a return. */
    public long returns() {
        return returns;
    }

    /**
     * Runs a task once when Redis answers in time again. Runs it at once if that happened since {@code noted}.
     *
     * @return an action that removes the task
     */
    public Runnable onceBack(long noted, Runnable task) {
        onceBack.add(task);
        if (returns != noted && onceBack.remove(task)) {
            task.run();
        }
        return () -> onceBack.remove(task);
    }

    /** Redis has not answered a batch. */
    void failed(@Nullable Link link, Shard shard, Batch batch, Throwable cause) {
        shard.failed(cause);
        coldStart.failed(batch);
        events.failed(batch.size(), cause);
        connection.failed(link, cause);
    }

    /** Redis has answered that it cannot decide a batch. */
    void refused(Batch batch, Throwable cause) {
        refusal = new Failure(cause, System.nanoTime());
        events.failed(batch.size(), cause);
    }

    /** A call was answered without Redis. */
    void degraded(LimiterContext limiter) {
        if (limiter.internal) {
            return;
        }
        unanswered(limiter);
        events.degraded(limiter.name, limiter.fallback().how());
    }

    /** Redis did not answer a call, and the caller waits for Redis. */
    void unanswered(LimiterContext limiter) {
        degrading.set(true);
        if (!log.isDegraded() && !connection.isStopped()) {
            log.began(reason(limiter));
        }
    }

    private String reason(LimiterContext limiter) {
        Link link = connection.link();
        Failure failure = shards.failure();
        Failure refused = refusal;
        if (link == null || !link.isOpen()) {
            return connection.reason();
        } else if (refused != null && isRecent(refused)) {
            return FailureReasons.of(refused.cause());
        } else if (failure != null) {
            return FailureReasons.of(failure.cause());
        } else if (!limiter.isAgreed()) {
            return "the limits of limiter \"" + limiter.name + "\" could not be agreed with Redis";
        }
        return FailureReasons.of(NoAnswerException.deadlinePassed());
    }
}
