package io.sluice.lincheck;

import io.sluice.Limit;
import io.sluice.Permit;
import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import io.sluice.memory.MemoryStore;
import io.sluice.spi.EnteredCharges;
import io.sluice.testkit.ManualTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/*
 * Time stands still. So concurrent operations must have the same result as some sequence of them. Two limiters share a
 * store, so that joint decisions meet decisions on one key.
 */
/** Linearizability of the operations of the memory store, for each algorithm. */
@Tag("slow")
class MemoryStoreLincheckTest {
    private static TimeSource frozen() {
        return new TimeSource() {
            @Override
            public long micros() {
                return ManualTime.START_MICROS;
            }

            @Override
            public boolean isMonotonic() {
                return true;
            }

            @Override
            public Runnable schedule(long delayMicros, Runnable task) {
                return () -> {};
            }
        };
    }

    @Param(name = "permits", gen = IntGen.class, conf = "0:3")
    public abstract static class Operations {
        private final MemoryStore store = MemoryStore.builder().time(frozen()).build();
        private final RateLimiter limiter;
        private final RateLimiter other;

        Operations(String limit) {
            limiter = store.limiter("limiter", Limit.parse(limit));
            other = store.limiter("other", Limit.parse("4/d"));
        }

        @Operation
        public boolean tryAcquire(@Param(name = "permits") int permits) {
            return limiter.tryAcquire("key", permits);
        }

        @Operation
        public long acquireUpTo(@Param(name = "permits") int permits) {
            return limiter.acquireUpTo("key", permits);
        }

        @Operation
        public String check(@Param(name = "permits") int permits) {
            return limiter.check("key", permits).toString();
        }

        @Operation
        public boolean decide(@Param(name = "permits") int permits) {
            return store.decide(List.of(limiter.charge("key", permits), other.charge("key", 1)))
                    .allowed();
        }

        @Operation
        public boolean decideInTheOtherOrder(@Param(name = "permits") int permits) {
            return store.decide(List.of(other.charge("key", permits), limiter.charge("key", 1)))
                    .allowed();
        }

        @Operation
        public void refund(@Param(name = "permits") int permits) {
            limiter.refund("key", permits);
        }

        @Operation
        public void penalize(@Param(name = "permits") int permits) {
            limiter.penalize("key", permits);
        }

        @Operation
        public void reset() {
            limiter.reset("key");
        }

        @Operation
        public boolean reserve(@Param(name = "permits") int permits) {
            return limiter.reserve("key", permits).granted();
        }

        @Operation
        public String peek() {
            return limiter.peek("key").toString();
        }
    }

    public static class Bucket extends Operations {
        public Bucket() {
            super("5/d");
        }
    }

    public static class WideBucket extends Operations {
        public WideBucket() {
            super("999983/s burst 5");
        }
    }

    public static class LockingBucket extends Operations {
        public LockingBucket() {
            super("5/d lockout 1h");
        }
    }

    public static class IntervalBucket extends Operations {
        public IntervalBucket() {
            super("5/d refill interval");
        }
    }

    public static class LeakyBucket extends Operations {
        public LeakyBucket() {
            super("leaky-bucket 5/d");
        }
    }

    public static class FixedWindow extends Operations {
        public FixedWindow() {
            super("fixed-window 5/d");
        }
    }

    public static class SlidingLog extends Operations {
        public SlidingLog() {
            super("sliding-log 5/d");
        }
    }

    public static class SlidingCounter extends Operations {
        public SlidingCounter() {
            super("sliding-counter 5/d");
        }
    }

    public static class Calendar extends Operations {
        public Calendar() {
            super("fixed-window 5 per month zone Asia/Shanghai");
        }
    }

    public static class WarmUp extends Operations {
        public WarmUp() {
            super("warm-up 5/s over 1s");
        }
    }

    public static class EscalatingLog extends Operations {
        public EscalatingLog() {
            super("sliding-log 5/d lockout 1h escalate 3");
        }
    }

    /**
     * Each thread leaves only what it has entered: between an entry and the moment when another thread could know of it, there would
     * be two operations.
     */
    @Param(name = "thread", gen = ThreadIdGen.class)
    public abstract static class HoldOperations {
        private static final int THREADS = 4;

        private final MemoryStore store = MemoryStore.builder().time(frozen()).build();
        private final RateLimiter limiter = store.limiter("limiter", Limit.parse("concurrency 2"));
        private final RateLimiter other;
        private final List<Deque<Permit>> permits = Stream.generate(() -> (Deque<Permit>) new ArrayDeque<Permit>())
                .limit(THREADS)
                .toList();
        private final List<Deque<String>> holds = Stream.generate(() -> (Deque<String>) new ArrayDeque<String>())
                .limit(THREADS)
                .toList();

        HoldOperations(String limit) {
            other = store.limiter("other", Limit.parse(limit));
        }

        @Operation
        public String tryEnter(@Param(name = "thread") int thread) {
            Optional<Permit> permit = limiter.tryEnter("key");
            permit.ifPresent(permits.get(thread)::push);
            return permit.map(one -> one.decision().toString()).orElse("denied");
        }

        @Operation
        public boolean close(@Param(name = "thread") int thread) {
            Permit permit = permits.get(thread).poll();
            if (permit == null) {
                return false;
            }
            boolean held = permit.isHeld();
            permit.close();
            return held;
        }

        @Operation
        public String enter(@Param(name = "thread") int thread) {
            EnteredCharges entered = store.enterAsync(List.of(other.charge("key", 1), limiter.charge("key", 1)))
                    .toCompletableFuture()
                    .join();
            if (entered.holds() != null) {
                holds.get(thread).push(entered.holds());
            }
            return entered.decisions().toString();
        }

        @Operation
        public boolean release(@Param(name = "thread") int thread) {
            String text = holds.get(thread).poll();
            return text != null
                    && !store.releaseAsync(text).toCompletableFuture().isCompletedExceptionally();
        }

        @Operation
        public boolean renew(@Param(name = "thread") int thread) {
            String text = holds.get(thread).peek();
            return text != null && !store.renewAsync(text).toCompletableFuture().isCompletedExceptionally();
        }

        @Operation
        public void reset() {
            limiter.reset("key");
        }

        @Operation
        public String peek() {
            return limiter.peek("key").toString();
        }
    }

    public static class TwoHolds extends HoldOperations {
        public TwoHolds() {
            super("concurrency 1 hold 30s");
        }
    }

    public static class HoldAndRate extends HoldOperations {
        public HoldAndRate() {
            super("fixed-window 4/d");
        }
    }

    @Test
    void twoHolds_operations_areLinearizable() {
        checkHolds(TwoHolds.class);
    }

    @Test
    void holdAndRate_operations_areLinearizable() {
        checkHolds(HoldAndRate.class);
    }

    private static void checkHolds(Class<? extends HoldOperations> operations) {
        new StressOptions()
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(1)
                .iterations(10)
                .invocationsPerIteration(300)
                .check(operations);
    }

    private static void check(Class<? extends Operations> operations) {
        new StressOptions()
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(1)
                .iterations(6)
                .invocationsPerIteration(300)
                .check(operations);
    }

    /** So few operations that every interleaving can be tried. */
    @Param(name = "permits", gen = IntGen.class, conf = "1:3")
    public static class OneWord {
        private final RateLimiter limiter =
                MemoryStore.builder().time(frozen()).build().limiter("limiter", Limit.parse("5/d"));

        @Operation
        public boolean tryAcquire(@Param(name = "permits") int permits) {
            return limiter.tryAcquire("key", permits);
        }

        @Operation
        public long acquireUpTo(@Param(name = "permits") int permits) {
            return limiter.acquireUpTo("key", permits);
        }

        @Operation
        public void refund(@Param(name = "permits") int permits) {
            limiter.refund("key", permits);
        }

        @Operation
        public void reset() {
            limiter.reset("key");
        }
    }

    @Test
    void oneWord_everyInterleaving_isLinearizable() {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(1)
                .iterations(5)
                .invocationsPerIteration(300)
                // A backoff that counts to 64 is not a hang.
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses("io.sluice.memory.state.Backoff")
                        .allMethods()
                        .ignore())
                .check(OneWord.class);
    }

    @Test
    void bucket_operations_areLinearizable() {
        check(Bucket.class);
    }

    @Test
    void wideBucket_operations_areLinearizable() {
        check(WideBucket.class);
    }

    @Test
    void lockingBucket_operations_areLinearizable() {
        check(LockingBucket.class);
    }

    @Test
    void intervalBucket_operations_areLinearizable() {
        check(IntervalBucket.class);
    }

    @Test
    void leakyBucket_operations_areLinearizable() {
        check(LeakyBucket.class);
    }

    @Test
    void fixedWindow_operations_areLinearizable() {
        check(FixedWindow.class);
    }

    @Test
    void slidingLog_operations_areLinearizable() {
        check(SlidingLog.class);
    }

    @Test
    void slidingCounter_operations_areLinearizable() {
        check(SlidingCounter.class);
    }

    @Test
    void calendar_operations_areLinearizable() {
        check(Calendar.class);
    }

    @Test
    void warmUp_operations_areLinearizable() {
        check(WarmUp.class);
    }

    @Test
    void escalatingLog_operations_areLinearizable() {
        check(EscalatingLog.class);
    }
}
