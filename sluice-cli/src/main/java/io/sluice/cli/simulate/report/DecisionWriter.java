package io.sluice.cli.simulate.report;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.cli.console.OutputBuffer;
import io.sluice.cli.simulate.trace.KeyRequest;
import java.util.List;

/** Writes decisions, one line each. With several limits every line says which one decided. */
public interface DecisionWriter {
    /** What comes before the first decision. */
    void begin();

    /**
     * Writes a decision.
     *
     * @param limit which of the limits decided, counted from 0
     */
    void write(int limit, KeyRequest row, Decision decision);

    /** How a decision is written. */
    enum Format {
        CSV,
        JSON;

        public DecisionWriter writer(List<Limit> limits, OutputBuffer out) {
            return switch (this) {
                case CSV -> new CsvDecisionWriter(limits, out);
                case JSON -> new JsonDecisionWriter(limits, out);
            };
        }
    }

    /** What could be taken now; an unlimited limit has no number and prints 0. */
    static long remaining(Decision decision) {
        return decision.remaining() == Long.MAX_VALUE ? 0 : decision.remaining();
    }

    /** Microseconds, or -1 for never. */
    static long retryAfter(Decision decision) {
        return decision.never() ? -1 : decision.retryAfterMicros();
    }
}
