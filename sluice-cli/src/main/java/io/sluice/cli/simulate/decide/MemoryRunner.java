package io.sluice.cli.simulate.decide;

import io.sluice.cli.simulate.trace.TimedRequest;
import io.sluice.memory.MemoryStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Decides at once, in this process. */
public final class MemoryRunner<R extends TimedRequest, D> implements TraceRunner<R> {
    private final TraceTime time = new TraceTime();
    private final List<MemoryStore> stores = new ArrayList<>();
    private final List<RequestDecider<R, D>> judges;
    private final DecisionSink<R, D> results;

    public MemoryRunner(DeciderFactory<R, D> candidates, DecisionSink<R, D> results) {
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
        judges.forEach(RequestDecider::close);
        stores.forEach(MemoryStore::close);
    }
}
