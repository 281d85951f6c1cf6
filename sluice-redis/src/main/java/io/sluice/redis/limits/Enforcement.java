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
 * If Redis cannot be reached, the limits are sent when it is back. Until then, new limiters answer as they do without Redis,
 * and the others keep their limits.
 */
/** Puts the limits of many limiters in force together. Repeats that until Redis has the limits. */
public final class Enforcement {
    private static final long PATIENCE_NANOS = 2_000_000_000L;

    /** Many limits travel in pieces, between which other calls run. */
    private static final long PATIENCE_NANOS_EACH = 1_000_000L;

    private final Config config;
    private final Connection connection;
    private final long deadlineNanos;

    /** Finds a limiter of the store; null if it was released. */
    private final Function<String, @Nullable AgreedLimits> known;

    /** The limits that Redis does not have yet, by the name of the limiter. */
    private final Map<String, LimiterSpec> pending = new ConcurrentHashMap<>();

    private @Nullable CompletableFuture<?> running;

    Enforcement(
            Config config, Connection connection, long deadlineNanos, Function<String, @Nullable AgreedLimits> known) {
        this.config = config;
        this.connection = connection;
        this.deadlineNanos = deadlineNanos;
        this.known = known;
    }

    /** Puts limits in force. Waits for Redis for a short time; after that, it happens in the background. */
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

    /** Sends the limits that Redis does not have yet, because there is a new connection. */
    public synchronized void retry() {
        if (!pending.isEmpty()) {
            send();
        }
    }

    /** Sends the limits that Redis does not have yet, unless that is under way. */
    public synchronized void retryIfFailed() {
        if (!pending.isEmpty() && (running == null || running.isDone())) {
            send();
        }
    }

    boolean isPending(String limiter) {
        return pending.containsKey(limiter);
    }

    /** Sends one request at a time, so that the newest limits win. */
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
                .thenRun(() -> sent(specs));
    }

    private static long patienceNanos(List<LimiterSpec> specs) {
        return PATIENCE_NANOS + specs.size() * PATIENCE_NANOS_EACH;
    }

    private synchronized void sent(List<LimiterSpec> specs) {
        specs.forEach(spec -> pending.remove(spec.name(), spec));
    }
}
