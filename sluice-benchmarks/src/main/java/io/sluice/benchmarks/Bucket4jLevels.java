package io.sluice.benchmarks;

import io.github.bucket4j.Bucket;
import io.sluice.benchmarks.Visitors.Visitor;
import java.util.concurrent.ConcurrentHashMap;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * What one writes by hand with Bucket4j: a bucket for all, one for each tenant and each address, asked one after the other;
 * who was admitted by some and denied by the next gives back. It is not all or nothing, and answers yes or no only.
 */
@State(Scope.Benchmark)
public class Bucket4jLevels {
    private final Bucket global = bucket();
    private final ConcurrentHashMap<String, Bucket> tenants = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Bucket> addresses = new ConcurrentHashMap<>();
    private final Visitors visitors = new Visitors();

    private static Bucket bucket() {
        return Bucket4jPeer.bucket(Rates.PLENTY, Rates.PLENTY, Rates.SECOND);
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
