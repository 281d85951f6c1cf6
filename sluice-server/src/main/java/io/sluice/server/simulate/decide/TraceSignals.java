package io.sluice.server.simulate.decide;

import io.sluice.policy.PolicyEngine;
import java.util.Map;

/** The signals of a trace. Limits that follow them change at the times of their rule, not with the next request. */
public final class TraceSignals {
    private final PolicyEngine engine;
    private final TraceTime time;

    /** @param time the time of the engine and its store */
    public TraceSignals(PolicyEngine engine, TraceTime time) {
        this.engine = engine;
        this.time = time;
    }

    /** Brings the limits to the present, and then reports the values of a request. */
    public void report(Map<String, Double> values) {
        advance();
        engine.signals(values);
    }

    /** Brings the limits to the present. */
    public void advance() {
        long now = time.micros();
        for (long next = engine.nextSignalMicros(); next <= now; next = engine.nextSignalMicros()) {
            time.set(next);
            engine.signals(Map.of());
        }
        time.set(now);
    }
}
