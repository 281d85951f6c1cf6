package io.sluice.redis.limits;

import io.sluice.Limit;
import io.sluice.redis.connect.Connection;
import io.sluice.redis.connect.Futures;
import io.sluice.spi.LimiterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/*
 * What Redis could not be told at once is told when it is back: until then, limiters that are new answer as they do
 * without Redis, and the others go on as they are.
 */
/** Limits that this process wants in force. */
public final class Enforcement {
    private static final long PATIENCE_NANOS = 2_000_000_000L;

    /** Many travel in pieces, which others may have to be let through between. */
    private static final long PATIENCE_NANOS_EACH = 1_000_000L;

    private final Config config;
    private final Connection connection;
    private final long deadlineNanos;

    /** Finds a limiter of the store; null if it was released. */
    private final Function<String, @Nullable AgreedLimits> known;

    /** By the name of the limiter: what Redis has not heard yet. */
    private final Map<String, LimiterSpec> pending = new ConcurrentHashMap<>();

    private @Nullable CompletableFuture<?> running;

    Enforcement(
            Config config, Connection connection, long deadlineNanos, Function<String, @Nullable AgreedLimits> known) {
        this.config = config;
        this.connection = connection;
        this.deadlineNanos = deadlineNanos;
        this.known = known;
    }

    /** Waits for Redis a little; if that is too short, it is done later. */
    public void enforce(List<AgreedLimits> limiters, List<LimiterSpec> specs) {
        CompletableFuture<?> done;
        synchronized (this) {
            for (int i = 0; i < specs.size(); i++) {
                LimiterSpec spec = specs.get(i);
                List<Limit> limits = List.of(spec.limit());
                limiters.get(i).configureUnasked(spec.options(), limits);
                pending.put(spec.name(), spec);
            }
            done = send();
        }
        if (Futures.isLateOrFailed(done, Math.max(deadlineNanos, patienceNanos(specs)))) {
            connection.check();
        }
    }

    /** Redis is there, perhaps again. */
    public synchronized void retry() {
        if (!pending.isEmpty()) {
            send();
        }
    }

    /** Nobody else brings what is wanted here. */
    public synchronized void retryIfFailed() {
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
        List<AgreedLimits> limiters = new ArrayList<>();
        synchronized (this) {
            pending.values().removeIf(spec -> {
                AgreedLimits limiter = known.apply(spec.name());
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
        return config.enforce(limiters, specs)
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
