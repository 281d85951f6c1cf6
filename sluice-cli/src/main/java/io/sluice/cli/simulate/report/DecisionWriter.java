package io.sluice.cli.simulate.report;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.cli.console.OutputBuffer;
import io.sluice.server.simulate.trace.KeyRequest;
import java.util.List;

/** Writes decisions, one line each. With several limits, every line names its limit. */
public interface DecisionWriter {
    /** Writes the header, if the format has one. */
    void begin();

    /**
     * Writes a decision.
     *
     * @param limit the index of the limit, from 0
     */
    void write(int limit, KeyRequest row, Decision decision);

    /** The output format. */
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

    /** The permits that remain; 0 for {@code unlimited}, which has no number. */
    static long remaining(Decision decision) {
        return decision.remaining() == Long.MAX_VALUE ? 0 : decision.remaining();
    }

    /** The retry time in microseconds; -1 for never. */
    static long retryAfter(Decision decision) {
        return decision.never() ? -1 : decision.retryAfterMicros();
    }
}
