package io.sluice.server.playground;

import io.sluice.Decision;
import io.sluice.server.simulate.chart.ChartData;
import io.sluice.server.simulate.decide.LimitDeciders;
import io.sluice.server.simulate.decide.MemoryRunner;
import io.sluice.server.simulate.trace.InvalidTraceException;
import io.sluice.server.simulate.trace.KeyRequest;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Decides the requests of one simulation. Blocks. */
final class PlaygroundRun {
    private static final int CHECK_EVERY = 256;

    private PlaygroundRun() {}

    /**
     * The chart of a simulation, as JSON.
     *
     * @param expired whether the time for the run is over
     * @throws InvalidTraceException if the trace is not valid, or the run takes too long
     */
    static JsonObject of(SimulationRequest request, BooleanSupplier expired) {
        List<KeyRequest> requests = request.requests();
        try (ChartData<KeyRequest, Decision> chart = ChartData.ofLimits(request.limits());
                MemoryRunner<KeyRequest, Decision> runner =
                        new MemoryRunner<>(new LimitDeciders(request.limits()), chart)) {
            int decided = 0;
            for (KeyRequest each : requests) {
                runner.decide(each);
                decided++;
                if (decided % CHECK_EVERY == 0 && expired.getAsBoolean()) {
                    throw new InvalidTraceException("the simulation took too long after " + decided + " of "
                            + requests.size() + " requests (expected: fewer requests, limits or keys)");
                }
            }
            runner.drain();
            chart.end();
            return ChartJson.of(chart);
        }
    }
}
