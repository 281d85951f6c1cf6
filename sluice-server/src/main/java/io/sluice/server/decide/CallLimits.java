package io.sluice.server.decide;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.Store;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/*
 * A limit that comes with the call has no name under which it could be updated: the same key just comes with another limit
 * some day. So each distinct limit has a limiter of its own, and a key that is fresh under the limit asked for is looked for
 * under the others; what it used there is carried over and forgotten there, so that a change of limit is no amnesty, and
 * going back and forth is none either. What that cannot see: limits that only other processes have met since this one
 * started, limits beyond the RECENT ones, and fractions of a permit, which count as whole ones. In memory it is exact
 * besides; with Redis, calls that are under way while a key changes its limit may count under the one they came with.
 *
 * With one limit known, that costs one comparison; with several, a lock, and only a key that is fresh is looked for.
 */
/**
 * Limits that are not configured but said by every call. Thread-safe.
 *
 * <p>A key belongs to the group, whatever the limit: when it comes with another one than before, what it used stays used.
 */
public final class CallLimits {
    /** How many distinct limits one group may have; more are refused. */
    public static final int MOST = 10_000;

    /** Under how many of the other limits a key is looked for: those asked for last. */
    static final int RECENT = 16;

    private static final int THREADS = 4;
    private static final int LOCKS = 256;

    private final Store store;
    private final String group;
    private final ConcurrentHashMap<Limit, CompletableFuture<CallLimit>> known = new ConcurrentHashMap<>();
    private final Executor waiting = threads();
    private final Object[] locks = new Object[LOCKS];
    private volatile CallLimit[] recent = {};

    /**
     * Begins with none.
     *
     * @param group what the names of their limiters begin with
     */
    public CallLimits(Store store, String group) {
        this.store = store;
        this.group = group;
        Arrays.setAll(locks, unused -> new Object());
    }

    /** {@link CallLimit#check} of a limit. Waits for the store, if that is one to wait for. */
    public Decision check(String key, long permits, Limit limit) {
        return limit(limit).check(key, permits);
    }

    /** {@link #check} without waiting. */
    public CompletionStage<Decision> checkAsync(String key, long permits, Limit limit) {
        return limitAsync(limit).thenCompose(asked -> asked.checkAsync(key, permits));
    }

    /**
     * What decides by a limit. Waits for the store, if that is one to wait for.
     *
     * @throws IllegalStateException if there are {@link #MOST} others already
     */
    public CallLimit limit(Limit limit) {
        try {
            return find(limit, Runnable::run).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /** {@link #limit} without waiting: done already if the limit is known. */
    public CompletableFuture<CallLimit> limitAsync(Limit limit) {
        return find(limit, waiting);
    }

    private CompletableFuture<CallLimit> find(Limit limit, Executor executor) {
        CompletableFuture<CallLimit> found = known.get(limit);
        return found == null ? make(limit, executor) : found;
    }

    private CompletableFuture<CallLimit> make(Limit limit, Executor executor) {
        CompletableFuture<CallLimit> made = new CompletableFuture<>();
        synchronized (known) {
            if (known.size() >= MOST && !known.containsKey(limit)) {
                return CompletableFuture.failedFuture(new IllegalStateException("limit " + limit
                        + ": one more than can be kept (expected: at most " + MOST + " distinct limits)"));
            }
            CompletableFuture<CallLimit> faster = known.putIfAbsent(limit, made);
            if (faster != null) {
                return faster;
            }
        }
        executor.execute(() -> {
            try {
                RateLimiter limiter = store.limiter(group + limit, limit);
                CallLimit asked = new CallLimit(this, limiter, limit);
                recent(asked);
                made.complete(asked);
            } catch (RuntimeException e) {
                known.remove(limit);
                made.completeExceptionally(e);
            }
        });
        return made;
    }

    /** Whether a key can have been used under another limit. */
    boolean several() {
        return recent.length > 1;
    }

    /** What to hold while a key is decided. */
    Object lockOf(String key) {
        int hash = key.hashCode();
        return locks[(hash ^ hash >>> 16) & LOCKS - 1];
    }

    /** The limits that were asked for last, among them the one that is asked for now. */
    CallLimit[] recent(CallLimit asked) {
        CallLimit[] before = recent;
        return before.length > 0 && before[0] == asked ? before : moveToFront(asked);
    }

    private synchronized CallLimit[] moveToFront(CallLimit asked) {
        CallLimit[] before = recent;
        int at = Arrays.asList(before).indexOf(asked);
        int length = at >= 0 ? before.length : Math.min(RECENT, before.length + 1);
        CallLimit[] after = new CallLimit[length];
        after[0] = asked;
        System.arraycopy(before, 0, after, 1, at >= 0 ? at : length - 1);
        if (at >= 0) {
            System.arraycopy(before, at + 1, after, at + 1, length - at - 1);
        }
        recent = after;
        return after;
    }

    private static Executor threads() {
        ThreadPoolExecutor threads =
                new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "sluice-call-limits");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }
}
