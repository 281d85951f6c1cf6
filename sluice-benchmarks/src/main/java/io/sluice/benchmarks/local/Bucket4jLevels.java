package io.sluice.benchmarks.local;

import io.github.bucket4j.Bucket;
import io.sluice.benchmarks.local.Visitors.Visitor;
import java.util.concurrent.ConcurrentHashMap;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Three levels of limits, written by hand with Bucket4j: one bucket for all, one for each tenant and one for each address,
 * called one after the other. A denial by a later bucket gives the permits of the earlier ones back. Other than in Sluice,
 * this is not atomic, and the result is only yes or no.
 */
@State(Scope.Benchmark)
public class Bucket4jLevels {
    private final Bucket global = bucket();
    private final ConcurrentHashMap<String, Bucket> tenants = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Bucket> addresses = new ConcurrentHashMap<>();
    private final Visitors visitors = new Visitors();

    private static Bucket bucket() {
        return Bucket4jPeer.bucket(BenchmarkLimits.PLENTY, BenchmarkLimits.PLENTY, BenchmarkLimits.SECOND);
    }

    boolean tryAcquire() {
        Visitor visitor = visitors.nextVisitor();
        if (!global.tryConsume(1)) {
            return false;
        }
        Bucket tenant = tenants.computeIfAbsent(visitor.tenant(), unused -> bucket());
        if (!tenant.tryConsume(1)) {
            global.addTokens(1);
            return false;
        }
        if (!addresses.computeIfAbsent(visitor.ip(), unused -> bucket()).tryConsume(1)) {
            global.addTokens(1);
            tenant.addTokens(1);
            return false;
        }
        return true;
    }
}
