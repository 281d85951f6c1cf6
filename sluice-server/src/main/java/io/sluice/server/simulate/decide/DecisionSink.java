package io.sluice.server.simulate.decide;

import java.util.List;

/** Receives decided requests, in order. */
public interface DecisionSink<R, D> {
    /** Called before the first request. */
    default void begin() {}

    /**
     * Receives the next request.
     *
     * @param decisions one decision of each decider
     */
    void accept(R request, List<D> decisions);

    /** Called after the last request, if all requests were valid. */
    default void end() {}
}
