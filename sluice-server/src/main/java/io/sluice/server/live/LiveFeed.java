package io.sluice.server.live;

import io.sluice.TimeSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/*
 * Every two seconds, at even seconds of the wall clock, this replica makes a tick. All replicas do so at about the same time. The sum
 * over all of them is read a little later, so that most sums are complete at once. It is read only while somebody looks.
 */
/** Keeps the last 15 minutes and reports each new tick. Thread-safe. */
final class LiveFeed implements AutoCloseable {
    /** How long after a tick the ticks of the other replicas are read. */
    private static final long SETTLE_MICROS = 400_000;

    /** A replica may write its ticks so much later than others. They are read again for so long. */
    private static final long OVERLAP_MILLIS = 30_000;

    /** How long after Redis is back all ticks since it went away are read again: other replicas write theirs a little later. */
    private static final long LATE_MILLIS = 10_000;

    private final TimeSource time;
    private final TickSource source;
    private final @Nullable ReplicaNotes notes;
    private final Predicate<Scope> isWatched;
    private final BiConsumer<Scope, View> viewers;
    private final ReplicaHistory own = new ReplicaHistory();
    private final ReplicaHistory all = new ReplicaHistory();
    private long latest;
    private long readUntil;

    /** The time up to which all was read before Redis went away; it holds until {@link #lateUntil}. */
    private long missedFrom = Long.MAX_VALUE;

    private long lateUntil;
    private @Nullable CompletableFuture<View> reading;
    private @Nullable Runnable cancelNext;
    private boolean closed;

    /**
     * What a viewer sees.
     *
     * @param ticks oldest first
     * @param replicas the latest tick of each replica that is alive
     * @param gone the latest tick of each replica that was alive in the last 15 minutes, and is no more
     * @param complete whether the ticks of all replicas of the scope could be read
     */
    record View(List<Tick> ticks, List<ReplicaTick> replicas, List<ReplicaTick> gone, long now, boolean complete) {
        /** Only the ticks that may be new to a viewer who has seen the one before. */
        View recent() {
            long after = now - 5 * Tick.MILLIS;
            return new View(ticks.stream().filter(tick -> tick.end() > after).toList(), replicas, gone, now, complete);
        }
    }

    /**
     * Creates a feed that is not started.
     *
     * @param notes null if this is the only replica
     * @param isWatched whether somebody looks at a scope
     * @param viewers gets each new view of a scope that is watched
     */
    LiveFeed(
            TimeSource time,
            TickSource source,
            @Nullable ReplicaNotes notes,
            Predicate<Scope> isWatched,
            BiConsumer<Scope, View> viewers) {
        this.time = time;
        this.source = source;
        this.notes = notes;
        this.isWatched = isWatched;
        this.viewers = viewers;
        latest = millis() / Tick.MILLIS * Tick.MILLIS;
    }

    private long millis() {
        return time.wallMicros() / 1000;
    }

    synchronized void start() {
        if (!closed) {
            long rest = (latest + Tick.MILLIS) * 1000 - time.wallMicros();
            // After the wall clock was set back, ticks go on, but not faster.
            cancelNext = time.schedule(Math.max(1, Math.min(rest, Tick.MILLIS * 1000)), this::tick);
        }
    }

    private void tick() {
        View view;
        synchronized (this) {
            if (closed) {
                return;
            }
            long end = millis() / Tick.MILLIS * Tick.MILLIS;
            if (end <= latest) {
                latest = Math.min(latest, end);
                start();
                return;
            }
            latest = end;
            ReplicaTick tick = source.next(end);
            own.add(List.of(tick));
            own.forgetBefore(end);
            if (notes != null) {
                notes.write(tick);
            }
            view = view(own, true);
        }
        show(Scope.REPLICA, view);
        if (notes == null) {
            show(Scope.ALL, view);
        } else if (isWatched.test(Scope.ALL)) {
            time.schedule(SETTLE_MICROS, () -> read().thenAccept(sum -> show(Scope.ALL, sum)));
        }
        start();
    }

    private void show(Scope scope, View view) {
        if (isWatched.test(scope)) {
            viewers.accept(scope, view.recent());
        }
    }

    /** The last 15 minutes. If the other replicas cannot be read, those of this one. */
    CompletableFuture<View> view(Scope scope) {
        if (scope == Scope.ALL && notes != null) {
            return read();
        }
        synchronized (this) {
            return CompletableFuture.completedFuture(view(own, true));
        }
    }

    /** Calls for the same moment share one reading. */
    private synchronized CompletableFuture<View> read() {
        ReplicaNotes shared = notes;
        CompletableFuture<View> known = reading;
        if (known != null || shared == null) {
            return known != null ? known : CompletableFuture.completedFuture(view(own, true));
        }
        long now = latest;
        long from = Math.max(Math.min(readUntil, missedFrom) - OVERLAP_MILLIS, now - ReplicaHistory.KEPT.toMillis());
        CompletableFuture<View> next =
                shared.read(from, now).handle((ticks, failure) -> onRead(failure == null ? ticks : null, now));
        reading = next.isDone() ? null : next;
        return next;
    }

    private synchronized View onRead(@Nullable List<ReplicaTick> ticks, long now) {
        reading = null;
        if (ticks == null) {
            missedFrom = Math.min(missedFrom, readUntil);
            lateUntil = Long.MAX_VALUE;
            return view(own, false);
        }
        lateUntil = Math.min(lateUntil, now + LATE_MILLIS);
        if (now >= lateUntil) {
            missedFrom = Long.MAX_VALUE;
        }
        all.add(ticks);
        all.forgetBefore(now);
        readUntil = now;
        return view(all, true);
    }

    private View view(ReplicaHistory history, boolean complete) {
        return new View(history.sumsAfter(0), history.alive(latest), history.gone(latest), latest, complete);
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (cancelNext != null) {
            cancelNext.run();
        }
        source.close();
    }
}
