package io.sluice.cli.simulate.decide;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import io.sluice.cli.simulate.trace.KeyRequest;
import io.sluice.spi.PolicyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** Limits, each with a limiter of its own, also equal ones. */
public record LimitDeciders(List<Limit> limits) implements DeciderFactory<KeyRequest, Decision> {
    @Override
    public int stores() {
        return 1;
    }

    @Override
    public List<RequestDecider<KeyRequest, Decision>> on(List<? extends PolicyStore> stores, TimeSource time) {
        List<RequestDecider<KeyRequest, Decision>> judges = new ArrayList<>(limits.size());
        for (Limit limit : limits) {
            String name = "limit-" + (judges.size() + 1);
            judges.add(new ByLimit(stores.get(0).limiter(name, limit)));
        }
        return judges;
    }

    /** Each decision is about one key, and those of a key stay in order. */
    @Override
    public boolean mayOvertake(BooleanSupplier cluster) {
        return false;
    }

    private record ByLimit(RateLimiter limiter) implements RequestDecider<KeyRequest, Decision> {
        @Override
        public Decision decide(KeyRequest row) {
            return limiter.check(row.key().text(), row.permits());
        }

        @Override
        public CompletableFuture<Decision> decideLater(KeyRequest row) {
            return limiter.checkAsync(row.key().text(), row.permits()).toCompletableFuture();
        }

        @Override
        public boolean isDegraded(Decision decision) {
            return decision.degraded();
        }

        /** The store closes it. */
        @Override
        public void close() {}
    }
}
