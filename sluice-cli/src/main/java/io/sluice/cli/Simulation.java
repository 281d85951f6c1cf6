package io.sluice.cli;

/** Has the rows of a trace decided. */
final class Simulation {
    private final TraceReader trace;
    private final Decider decider;
    private final Results results;

    Simulation(TraceReader trace, Decider decider, Results results) {
        this.trace = trace;
        this.decider = decider;
        this.results = results;
    }

    void run() {
        trace.begin();
        results.begin();
        try {
            for (TraceRow row = trace.next(); row != null; row = trace.next()) {
                decider.decide(row);
            }
        } catch (Refusal badRow) {
            // Those before it were good.
            decider.settle();
            throw badRow;
        }
        decider.settle();
    }
}
