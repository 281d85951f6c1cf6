package io.sluice.cli;

import io.sluice.memory.MemoryStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Decides at once, in this process. */
final class MemoryDecider<R extends Row, D> implements Decider<R> {
    private final TraceTime time = new TraceTime();
    private final List<MemoryStore> stores = new ArrayList<>();
    private final List<Judge<R, D>> judges;
    private final Results<R, D> results;

    MemoryDecider(Candidates<R, D> candidates, Results<R, D> results) {
        while (stores.size() < candidates.stores()) {
            stores.add(MemoryStore.builder().time(time).maxKeys(Long.MAX_VALUE).build());
        }
        this.judges = candidates.on(stores, time);
        this.results = results;
    }

    @Override
    public void decide(R row) {
        time.set(row.timeMicros());
        @SuppressWarnings("unchecked")
        D[] decisions = (D[]) new Object[judges.size()];
        for (int i = 0; i < decisions.length; i++) {
            decisions[i] = judges.get(i).decide(row);
        }
        results.row(row, Arrays.asList(decisions));
    }

    @Override
    public void settle() {}

    @Override
    public void close() {
        judges.forEach(Judge::close);
        stores.forEach(MemoryStore::close);
    }
}
