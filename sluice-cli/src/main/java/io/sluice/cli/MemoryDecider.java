package io.sluice.cli;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.MemoryStore;
import io.sluice.RateLimiter;
import java.util.List;

/** Decides at once, in this process. */
final class MemoryDecider implements Decider {
    private final TraceTime time = new TraceTime();
    private final MemoryStore store =
            MemoryStore.builder().time(time).maxKeys(Long.MAX_VALUE).build();
    private final RateLimiter[] limiters;
    private final Results results;

    MemoryDecider(List<Limit> limits, Results results) {
        this.limiters = Decider.limiters(store, limits);
        this.results = results;
    }

    @Override
    public void decide(TraceRow row) {
        time.set(row.timeMicros());
        Decision[] decisions = new Decision[limiters.length];
        for (int i = 0; i < limiters.length; i++) {
            decisions[i] = limiters[i].check(row.key().text(), row.permits());
        }
        results.row(row, decisions);
    }

    @Override
    public void settle() {}

    @Override
    public void close() {
        store.close();
    }
}
