package io.sluice.cli.simulate.trace;

import io.sluice.cli.console.InvalidInputException;
import org.jspecify.annotations.Nullable;

/** The rows of a trace, in the order of their times, which never fall. */
public interface RequestReader<R extends TimedRequest> {
    /**
     * Reads what comes before the first row.
     *
     * @throws InvalidInputException if it is not as it must be, naming the source
     */
    void begin();

    /**
     * The next row, or null after the last one.
     *
     * @throws InvalidInputException if it is not a good row, naming source and line
     */
    @Nullable
    R next();
}
