package io.sluice.server.simulate.chart;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.memory.MemoryStore;
import io.sluice.server.simulate.decide.TraceTime;
import io.sluice.server.simulate.trace.KeyRequest;
import java.util.ArrayList;
import java.util.List;

/** Looks at keys under limits. */
final class LimitProbe implements RemainingProbe<KeyRequest> {
    private final TraceTime time = new TraceTime();
    private final MemoryStore store =
            MemoryStore.builder().time(time).maxKeys(Long.MAX_VALUE).build();
    private final List<RateLimiter> limiters = new ArrayList<>();

    LimitProbe(List<Limit> limits) {
        limits.forEach(limit -> limiters.add(store.limiter("limit-" + limiters.size(), limit)));
    }

    @Override
    public void at(long micros) {
        time.set(micros);
    }

    @Override
    public void decide(KeyRequest request) {
        limiters.forEach(limiter -> limiter.check(request.key().text(), request.permits()));
    }

    @Override
    public long remaining(int panel, String key) {
        return limiters.get(panel).check(key, 0).remaining();
    }

    @Override
    public void close() {
        store.close();
    }
}
