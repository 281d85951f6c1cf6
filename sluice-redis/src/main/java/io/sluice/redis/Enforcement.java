package io.sluice.redis;

import io.sluice.Limit;
import io.sluice.spi.LimiterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/*
 * What Redis could not be told at once is told when it is back: until then, limiters that are new answer as they do
 * without Redis, and the others go on as they are.
 */
/** Limits that this process wants in force. */
final class Enforcement {
    private static final long PATIENCE_NANOS = 2_000_000_000L;

    /** Many travel in pieces, which others may have to be let through between. */
    private static final long PATIENCE_NANOS_EACH = 1_000_000L;

    private final RedisStore store;

    /** By the name of the limiter: what Redis has not heard yet. */
    private final Map<String, LimiterSpec> pending = new ConcurrentHashMap<>();

    private @Nullable CompletableFuture<?> running;

    Enforcement(RedisStore store) {
        this.store = store;
    }

    /** Waits for Redis a little; if that is too short, it is done later. */
    void enforce(List<RedisLimiter> limiters, List<LimiterSpec> specs) {
        CompletableFuture<?> done;
        synchronized (this) {
            for (int i = 0; i < specs.size(); i++) {
                LimiterSpec spec = specs.get(i);
                List<Limit> limits = List.of(spec.limit());
                limiters.get(i).agreement.bringUnasked(spec.options(), limits);
                pending.put(spec.name(), spec);
            }
            done = send();
        }
        if (Patience.inVain(done, Math.max(store.deadlineNanos, patienceNanos(specs)))) {
            store.connection.check();
        }
    }

    /** Redis is there, perhaps again. */
    synchronized void retry() {
        if (!pending.isEmpty()) {
            send();
        }
    }

    /** Nobody else brings what is wanted here. */
    synchronized void retryIfFailed() {
        if (!pending.isEmpty() && (running == null || running.isDone())) {
            send();
        }
    }

    boolean isPending(String limiter) {
        return pending.containsKey(limiter);
    }

    /** One at a time, so that what is wanted last comes last. */
    private CompletableFuture<?> send() {
        CompletableFuture<?> before = running == null ? CompletableFuture.completedFuture(null) : running;
        CompletableFuture<?> next = before.handle((done, failure) -> done).thenCompose(unused -> sendPending());
        running = next;
        return next;
    }

    private CompletableFuture<?> sendPending() {
        List<LimiterSpec> specs = new ArrayList<>();
        List<RedisLimiter> limiters = new ArrayList<>();
        synchronized (this) {
            pending.values().removeIf(spec -> {
                RedisLimiter limiter = store.limiters.known(spec.name());
                if (limiter != null) {
                    specs.add(spec);
                    limiters.add(limiter);
                }
                return limiter == null;
            });
        }
        if (specs.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return store.config
                .enforce(limiters, specs)
                .orTimeout(patienceNanos(specs), TimeUnit.NANOSECONDS)
                .thenRun(() -> told(specs));
    }

    private static long patienceNanos(List<LimiterSpec> specs) {
        return PATIENCE_NANOS + specs.size() * PATIENCE_NANOS_EACH;
    }

    private synchronized void told(List<LimiterSpec> specs) {
        specs.forEach(spec -> pending.remove(spec.name(), spec));
    }
}
