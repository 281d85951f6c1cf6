package io.sluice.spring.cost;

import io.sluice.policy.PolicyDecision;
import io.sluice.spring.RequestCost;
import io.sluice.spring.Sluice;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** A cost that is never charged, because Sluice is not enabled. */
final class NoCost implements RequestCost {
    /** Charges nothing. */
    static final Sluice SLUICE = new Sluice() {
        @Override
        public PolicyDecision charge(long permits) {
            return PolicyDecision.of();
        }

        @Override
        public CompletionStage<PolicyDecision> chargeAsync(long permits) {
            return CompletableFuture.completedFuture(PolicyDecision.of());
        }

        @Override
        public RequestCost cost() {
            return new NoCost();
        }

        @Override
        public RequestCost reserve(long estimate) {
            return new NoCost();
        }
    };

    private final AtomicLong total = new AtomicLong();

    @Override
    public void add(long permits) {
        total.addAndGet(permits);
    }

    @Override
    public long total() {
        return total.get();
    }
}
