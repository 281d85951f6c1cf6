package io.sluice.server.simulate.decide;

import io.sluice.memory.MemoryStore;
import io.sluice.server.simulate.trace.TimedRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Decides requests one at a time on memory stores. */
public final class MemoryRunner<R extends TimedRequest, D> implements TraceRunner<R> {
    private final TraceTime time = new TraceTime();
    private final List<MemoryStore> stores = new ArrayList<>();
    private final List<RequestDecider<R, D>> deciders;
    private final DecisionSink<R, D> sink;

    public MemoryRunner(DeciderFactory<R, D> factory, DecisionSink<R, D> sink) {
        while (stores.size() < factory.stores()) {
            stores.add(MemoryStore.builder().time(time).maxKeys(Long.MAX_VALUE).build());
        }
        this.deciders = factory.create(stores, time);
        this.sink = sink;
    }

    @Override
    public void decide(R request) {
        time.set(request.timeMicros());
        @SuppressWarnings("unchecked")
        D[] decisions = (D[]) new Object[deciders.size()];
        for (int i = 0; i < decisions.length; i++) {
            decisions[i] = deciders.get(i).decide(request);
        }
        sink.accept(request, Arrays.asList(decisions));
    }

    @Override
    public void drain() {}

    @Override
    public void close() {
        deciders.forEach(RequestDecider::close);
        stores.forEach(MemoryStore::close);
    }
}
