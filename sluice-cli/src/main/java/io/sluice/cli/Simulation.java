package io.sluice.cli;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.MemoryStore;
import io.sluice.RateLimiter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides the rows of a trace, each by every limit independently, at the times the trace says. */
final class Simulation {
    private final List<Limit> limits;
    private final TraceReader trace;
    private final DecisionWriter decisions;
    private final @Nullable PlotData plot;

    Simulation(List<Limit> limits, TraceReader trace, DecisionWriter decisions, @Nullable PlotData plot) {
        this.limits = limits;
        this.trace = trace;
        this.decisions = decisions;
        this.plot = plot;
    }

    void run(Progress progress) {
        TraceTime time = new TraceTime();
        try (MemoryStore store =
                MemoryStore.builder().time(time).maxKeys(Long.MAX_VALUE).build()) {
            RateLimiter[] limiters = limiters(store);
            trace.begin();
            decisions.begin();
            for (TraceRow row = trace.next(); row != null; row = trace.next()) {
                time.set(row.timeMicros());
                decide(row, limiters);
                progress.row();
            }
        }
    }

    private RateLimiter[] limiters(MemoryStore store) {
        RateLimiter[] limiters = new RateLimiter[limits.size()];
        for (int i = 0; i < limiters.length; i++) {
            limiters[i] = store.limiter("limit-" + (i + 1), limits.get(i));
        }
        return limiters;
    }

    private void decide(TraceRow row, RateLimiter[] limiters) {
        Decision[] answers = new Decision[limiters.length];
        for (int i = 0; i < limiters.length; i++) {
            answers[i] = limiters[i].check(row.key().text(), row.permits());
            decisions.write(i, row, answers[i]);
        }
        if (plot != null) {
            plot.add(row, answers);
        }
    }
}
