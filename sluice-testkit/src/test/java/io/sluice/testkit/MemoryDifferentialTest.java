package io.sluice.testkit;

import io.sluice.memory.MemoryStore;
import io.sluice.testkit.Differential.Era;
import org.junit.jupiter.api.Test;

/** Compares at least a million decisions of the memory store with the model. The message of a failure says how to replay it. */
class MemoryDifferentialTest {
    private static final int DECISIONS = Integer.getInteger("sluice.memory.decisions", 1_000_000);

    @Test
    void memory_forwardTime_decidesAsTheModel() {
        run(false, Era.TODAY, DECISIONS / 3 + 1);
    }

    @Test
    void memory_timeThatStepsBack_decidesAsTheModel() {
        run(true, Era.TODAY, DECISIONS / 3 + 1);
    }

    @Test
    void memory_atTheEndOfTime_decidesAsTheModel() {
        run(false, Era.LATE, DECISIONS / 6 + 1);
        run(true, Era.LATE, DECISIONS / 6 + 1);
    }

    private static void run(boolean backward, Era era, int least) {
        RandomTraces.compare(
                least,
                (seed, kind) -> Differential.run(
                        seed,
                        kind,
                        backward,
                        era,
                        400,
                        time -> MemoryStore.builder().time(time).build()));
    }
}
