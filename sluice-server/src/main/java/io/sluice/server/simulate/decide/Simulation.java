package io.sluice.server.simulate.decide;

import io.sluice.server.simulate.trace.InvalidTraceException;
import io.sluice.server.simulate.trace.RequestReader;
import io.sluice.server.simulate.trace.TimedRequest;

/** Reads all requests and decides them. */
public final class Simulation<R extends TimedRequest> {
    private final RequestReader<R> reader;
    private final TraceRunner<R> runner;
    private final DecisionSink<R, ?> sink;

    public Simulation(RequestReader<R> reader, TraceRunner<R> runner, DecisionSink<R, ?> sink) {
        this.reader = reader;
        this.runner = runner;
        this.sink = sink;
    }

    public void run() {
        reader.begin();
        sink.begin();
        try {
            for (R request = reader.next(); request != null; request = reader.next()) {
                runner.decide(request);
            }
        } catch (InvalidTraceException invalidRequest) {
            // The requests before it are valid.
            runner.drain();
            throw invalidRequest;
        }
        runner.drain();
        sink.end();
    }
}
