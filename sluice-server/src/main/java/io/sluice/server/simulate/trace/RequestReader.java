package io.sluice.server.simulate.trace;

import org.jspecify.annotations.Nullable;

/** Reads recorded requests. Their times never decrease. */
public interface RequestReader<R extends TimedRequest> {
    /**
     * Reads the header, if the format has one.
     *
     * @throws InvalidTraceException if the header is wrong; the message names the source
     */
    void begin();

    /**
     * Reads the next request; null after the last one.
     *
     * @throws InvalidTraceException if the request is invalid; the message names the source and the line
     */
    @Nullable
    R next();
}
