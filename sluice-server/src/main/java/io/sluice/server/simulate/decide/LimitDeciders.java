package io.sluice.server.simulate.decide;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.server.simulate.trace.KeyRequest;
import io.sluice.spi.PolicyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** A decider for each limit. Equal limits have separate limiters. */
public record LimitDeciders(List<Limit> limits) implements DeciderFactory<KeyRequest, Decision> {
    @Override
    public int stores() {
        return 1;
    }

    @Override
    public List<RequestDecider<KeyRequest, Decision>> create(List<? extends PolicyStore> stores, TraceTime time) {
        List<RequestDecider<KeyRequest, Decision>> deciders = new ArrayList<>(limits.size());
        for (Limit limit : limits) {
            String name = "limit-" + (deciders.size() + 1);
            deciders.add(new LimitDecider(stores.get(0).limiter(name, limit)));
        }
        return deciders;
    }

    /** A decision concerns one key, and requests of one key stay in order. */
    @Override
    public boolean mayReorder(BooleanSupplier cluster) {
        return false;
    }

    private record LimitDecider(RateLimiter limiter) implements RequestDecider<KeyRequest, Decision> {
        @Override
        public Decision decide(KeyRequest request) {
            return limiter.check(request.key().text(), request.permits());
        }

        @Override
        public CompletableFuture<Decision> decideAsync(KeyRequest request) {
            return limiter.checkAsync(request.key().text(), request.permits()).toCompletableFuture();
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
