package io.sluice.redis.local;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** This process's share of the limits of one limiter: one limiter in memory for each limit. */
final class LimiterShares {
    private final String name;
    private final MemoryStore memory;
    private final Supplier<List<Limit>> limits;
    private final IntSupplier processes;
    private @Nullable Division last;

    /** One for each limit; as many as the limiter ever had limits. */
    private final List<RateLimiter> made = new ArrayList<>();

    /**
     * The limits of a limiter, divided among processes.
     *
     * @param each the limiter in memory for each limit
     */
    record Division(List<Limit> limits, int processes, List<RateLimiter> each) {
        /** This process's part of a number of permits, rounded up. */
        long part(long permits) {
            return -Math.floorDiv(-permits, (long) processes);
        }
    }

    LimiterShares(String name, MemoryStore memory, Supplier<List<Limit>> limits, IntSupplier processes) {
        this.name = name;
        this.memory = memory;
        this.limits = limits;
        this.processes = processes;
    }

    MemoryStore memory() {
        return memory;
    }

    List<Limit> limits() {
        return limits.get();
    }

    /** The current division. If limits or the number of processes have changed, the use of keys stays. */
    synchronized Division now() {
        List<Limit> whole = limits.get();
        int divisor = processes.getAsInt();
        Division known = last;
        if (known == null || known.processes() != divisor || !known.limits().equals(whole)) {
            for (int i = 0; i < whole.size(); i++) {
                Limit share = LocalShare.of(whole.get(i), divisor);
                if (i == made.size()) {
                    made.add(memory.limiter(i + ":" + name, share));
                } else {
                    made.get(i).update(share);
                }
            }
            known = new Division(whole, divisor, List.copyOf(made.subList(0, whole.size())));
            last = known;
        }
        return known;
    }
}
