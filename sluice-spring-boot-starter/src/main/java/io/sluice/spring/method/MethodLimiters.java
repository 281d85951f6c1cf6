package io.sluice.spring.method;

import io.sluice.CallLimiter;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.Store;
import java.util.function.Supplier;
import org.springframework.util.function.SingletonSupplier;

/*
 * A limiter that waits is registered in the store with its limit. The time at which the application started is the revision of that
 * limit. So the newest version of an application puts its limit in force, for all replicas.
 */
/** The limiters of {@code @RateLimited(limit = ...)}, created at the first call. */
final class MethodLimiters {
    private final Supplier<Store> store;
    private final Supplier<OnFailure> onFailure;
    private final long started;
    private final Supplier<CallLimiter> calls;

    /** @param started when the application started, in milliseconds */
    MethodLimiters(Supplier<Store> store, Supplier<OnFailure> onFailure, long started) {
        this.store = store;
        this.onFailure = onFailure;
        this.started = started;
        SingletonSupplier<CallLimiter> shared =
                SingletonSupplier.of(() -> store.get().callLimiter("methods", options()));
        this.calls = shared::obtain;
    }

    private LimiterOptions options() {
        return LimiterOptions.onFailure(onFailure.get());
    }

    /** The call limiter of all limits that do not wait. */
    Supplier<CallLimiter> calls() {
        return calls;
    }

    /** The limiter of a limit that waits. */
    Supplier<RateLimiter> waiting(String name, Limit limit) {
        SingletonSupplier<RateLimiter> limiter = SingletonSupplier.of(
                () -> store.get().limiter("methods/" + name, waitingOptions().revision(started), limit));
        return limiter::obtain;
    }

    /** The limiter of a concurrency limit. A call limiter has no permits that are held. */
    Supplier<RateLimiter> inFlight(String name, Limit limit, boolean waits) {
        SingletonSupplier<RateLimiter> limiter = SingletonSupplier.of(() -> store.get()
                .limiter("methods/" + name, (waits ? waitingOptions() : options()).revision(started), limit));
        return limiter::obtain;
    }

    /** A caller that can wait must not go on uncounted while Redis is away. With DENY, it waits for Redis. */
    private LimiterOptions waitingOptions() {
        OnFailure setting = onFailure.get();
        return LimiterOptions.onFailure(setting == OnFailure.ALLOW ? OnFailure.DENY : setting);
    }
}
