package io.sluice.benchmarks.local;

import io.sluice.benchmarks.common.Expect;
import java.util.function.Predicate;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A million keys with state, in random order, one thread. */
@Fork(jvmArgsAppend = {"-Xms1500m", "-Xmx1500m", "-Xmn500m"})
public class MillionKeys {
    private static final int KEYS = 1_000_000;

    static String[] keys() {
        String[] keys = new String[KEYS];
        for (int i = 0; i < KEYS; i++) {
            keys[i] = "tenant-" + i;
        }
        return keys;
    }

    @Benchmark
    public boolean sluice(Visits visits, Sluice sluice) {
        return Expect.admitted(sluice.keys.tryAcquire(visits.next()));
    }

    @Benchmark
    public boolean bucket4j(Visits visits, Bucket4j bucket4j) {
        return Expect.admitted(bucket4j.keys.tryAcquire(visits.next()));
    }

    @State(Scope.Benchmark)
    public static class Visits {
        private final String[] keys = keys();
        private long seed = 88172645463325252L;

        /** Marsaglia's xorshift: a few cycles, next to several cache misses. */
        String next() {
            seed ^= seed << 13;
            seed ^= seed >>> 7;
            seed ^= seed << 17;
            return keys[(int) (((seed & 0xffff_ffffL) * KEYS) >>> 32)];
        }

        /** Moves the keys to the old generation, and calls until all code is compiled. */
        void prepare(Predicate<String> tryAcquire) {
            System.gc();
            for (int i = 0; i < KEYS / 5; i++) {
                Expect.admitted(tryAcquire.test(next()));
            }
        }
    }

    @State(Scope.Benchmark)
    public static class Sluice {
        SluiceKeys keys = new SluiceKeys(new String[0]);

        @Setup
        public void fill(Visits visits) {
            keys = new SluiceKeys(visits.keys);
            visits.prepare(keys::tryAcquire);
        }
    }

    @State(Scope.Benchmark)
    public static class Bucket4j {
        Bucket4jKeys keys = new Bucket4jKeys(new String[0]);

        @Setup
        public void fill(Visits visits) {
            keys = new Bucket4jKeys(visits.keys);
            visits.prepare(keys::tryAcquire);
        }
    }
}
