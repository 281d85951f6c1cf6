package io.sluice.cli;

/** Has the rows of a trace decided. */
final class Simulation<R extends Row> {
    private final Rows<R> rows;
    private final Decider<R> decider;
    private final Results<R, ?> results;

    Simulation(Rows<R> rows, Decider<R> decider, Results<R, ?> results) {
        this.rows = rows;
        this.decider = decider;
        this.results = results;
    }

    void run() {
        rows.begin();
        results.begin();
        try {
            for (R row = rows.next(); row != null; row = rows.next()) {
                decider.decide(row);
            }
        } catch (Refusal badRow) {
            // Those before it were good.
            decider.settle();
            throw badRow;
        }
        decider.settle();
        results.end();
    }
}
