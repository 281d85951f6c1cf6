package io.sluice.benchmarks.local;

import io.sluice.benchmarks.common.Expect;
import io.sluice.policy.PolicyDecision;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** One decision of three policies: for all requests, for a tenant and for an address; one thread. */
public class ThreeLevels {
    @Benchmark
    public PolicyDecision sluice(Few sluice) {
        return sluice.check();
    }

    @Benchmark
    public PolicyDecision sluiceMany(Many sluice) {
        return sluice.check();
    }

    @Benchmark
    public boolean bucket4j(Bucket4jLevels bucket4j) {
        return Expect.admitted(bucket4j.tryAcquire());
    }

    @State(Scope.Benchmark)
    public static class Few extends SluicePolicies {
        public Few() {
            super(10);
        }
    }

    @State(Scope.Benchmark)
    public static class Many extends SluicePolicies {
        public Many() {
            super(10_000);
        }
    }
}
