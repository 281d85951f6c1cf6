package io.sluice.cli.simulate.trace;

import io.sluice.cli.console.InvalidInputException;
import org.jspecify.annotations.Nullable;

/** Reads recorded requests. Their times never decrease. */
public interface RequestReader<R extends TimedRequest> {
    /**
     * Reads the header, if the format has one.
     *
     * @throws InvalidInputException if the header is wrong; the message names the source
     */
    void begin();

    /**
     * Reads the next request; null after the last one.
     *
     * @throws InvalidInputException if the request is invalid; the message names the source and the line
     */
    @Nullable
    R next();
}
