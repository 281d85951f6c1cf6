package io.sluice.cli.simulate.decide;

import java.util.List;

/** Where decided rows go. */
public interface DecisionSink<R, D> {
    /** What comes before the first row. */
    default void begin() {}

    /**
     * The next row.
     *
     * @param decisions one of each judge
     */
    void row(R row, List<D> decisions);

    /** What comes after the last row, if all were good. */
    default void end() {}
}
