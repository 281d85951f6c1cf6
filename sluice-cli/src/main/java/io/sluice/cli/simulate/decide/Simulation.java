package io.sluice.cli.simulate.decide;

import io.sluice.cli.console.InvalidInputException;
import io.sluice.cli.simulate.trace.RequestReader;
import io.sluice.cli.simulate.trace.TimedRequest;

/** Has the rows of a trace decided. */
public final class Simulation<R extends TimedRequest> {
    private final RequestReader<R> rows;
    private final TraceRunner<R> decider;
    private final DecisionSink<R, ?> results;

    public Simulation(RequestReader<R> rows, TraceRunner<R> decider, DecisionSink<R, ?> results) {
        this.rows = rows;
        this.decider = decider;
        this.results = results;
    }

    public void run() {
        rows.begin();
        results.begin();
        try {
            for (R row = rows.next(); row != null; row = rows.next()) {
                decider.decide(row);
            }
        } catch (InvalidInputException badRow) {
            // Those before it were good.
            decider.settle();
            throw badRow;
        }
        decider.settle();
        results.end();
    }
}
