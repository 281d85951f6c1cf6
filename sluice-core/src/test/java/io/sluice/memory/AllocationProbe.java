package io.sluice.memory;

import com.sun.management.ThreadMXBean;
import io.sluice.Gate;
import io.sluice.Limit;
import io.sluice.Permit;
import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** The program that {@link AllocationTest} starts: prints how many bytes a call of each limit allocates. */
final class AllocationProbe {
    private static final int CALLS = 100_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Results go here, so that no call can be left out. */
    @SuppressWarnings("UnusedVariable")
    private static volatile long sink;

    /** Ends the text of a limit that is so slow that time has to leap, or all calls but the first would be denied. */
    static final String SLOW = " with leaps";

    /** Begins the line of a permit that is entered and closed. */
    static final String ENTER = "enter and close";

    private AllocationProbe() {}

    /** A time that leaps by some seconds with each reading. */
    private static final class Leaps implements TimeSource {
        private long now = 1_700_000_000_000_000L;

        @Override
        public long micros() {
            now += 3_200_017;
            return now;
        }

        @Override
        public boolean isMonotonic() {
            return true;
        }

        @Override
        public Runnable schedule(long delayMicros, Runnable task) {
            return () -> {};
        }
    }

    /** Measures the limits of these texts. */
    public static void main(String[] limits) {
        List<Gate> gates = new ArrayList<>();
        for (String limit : limits) {
            String text = limit.replace(SLOW, "");
            RateLimiter limiter = text.equals(limit)
                    ? RateLimiter.of(Limit.parse(text))
                    : MemoryStore.builder().time(new Leaps()).build().limiter(text, Limit.parse(text));
            gates.add(limiter.forKey("key"));
        }
        Gate held = RateLimiter.of(Limit.parse("concurrency 64")).forKey("key");
        // All limits before one is measured: in a service, too, the compiler has seen them all.
        for (int round = 0; round < 3; round++) {
            enter(held);
            gates.forEach(AllocationProbe::tryAcquire);
            gates.forEach(AllocationProbe::check);
            gates.forEach(AllocationProbe::checkByName);
        }
        for (int i = 0; i < limits.length; i++) {
            Gate gate = gates.get(i);
            System.out.println(limits[i] + "," + bytes(() -> tryAcquire(gate)) + "," + bytes(() -> check(gate)) + ","
                    + bytes(() -> checkByName(gate)));
        }
        System.out.println(ENTER + "," + bytes(() -> enter(held)));
    }

    /*
     * When a rare path is taken for the first time, the JVM throws compiled code away, and interprets the calls until it is compiled
     * again. Then they allocate what the compiler had removed. What a call itself allocates is in every round, so the least counts.
     */
    /** Bytes of a call, rounded. */
    private static long bytes(LongSupplier calls) {
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 10; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            sink = calls.getAsLong();
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return Math.round(least / (double) CALLS);
    }

    private static long tryAcquire(Gate gate) {
        long allowed = 0;
        for (int i = 0; i < CALLS; i++) {
            allowed += gate.tryAcquire() ? 1 : 0;
        }
        return allowed;
    }

    /** Enters and leaves. */
    private static long enter(Gate gate) {
        long remaining = 0;
        for (int i = 0; i < CALLS; i++) {
            Permit permit = gate.tryEnter().orElseThrow();
            remaining += permit.decision().remaining();
            permit.close();
        }
        return remaining;
    }

    private static long check(Gate gate) {
        long remaining = 0;
        for (int i = 0; i < CALLS; i++) {
            remaining += gate.check(1).remaining();
        }
        return remaining;
    }

    private static long checkByName(Gate gate) {
        RateLimiter limiter = gate.limiter();
        long remaining = 0;
        for (int i = 0; i < CALLS; i++) {
            remaining += limiter.check("key", 1).remaining();
        }
        return remaining;
    }
}
