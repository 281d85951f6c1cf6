package io.sluice.server.simulate.chart;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.policy.Mode;
import io.sluice.policy.Policies;
import io.sluice.policy.Policy;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyResult;
import io.sluice.server.simulate.decide.DecisionSink;
import io.sluice.server.simulate.trace.KeyRequest;
import io.sluice.server.simulate.trace.PolicyRequest;
import io.sluice.server.simulate.trace.TimedRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects the numbers of a chart: a panel for each limit or policy, over one timeline. */
public abstract class ChartData<R extends TimedRequest, D> implements DecisionSink<R, D>, AutoCloseable {
    /** More keys than are drawn, because the busiest at the end may not be the busiest all the time. */
    private static final int LOOKED_AT = 8;

    private final Timeline timeline = new Timeline();
    private final List<ChartPanel> panels = new ArrayList<>();
    private final RemainingProbe<R> probe;
    private long requests;
    private long lookedAt = -1;

    private ChartData(Map<String, Limit> titles, RemainingProbe<R> probe) {
        titles.forEach((title, limit) -> panels.add(new ChartPanel(title, limit, timeline)));
        this.probe = probe;
    }

    private ChartData(List<Limit> limits, RemainingProbe<R> probe) {
        limits.forEach(limit -> panels.add(new ChartPanel(limit.toString(), limit, timeline)));
        this.probe = probe;
    }

    /** Collects what each limit decides. */
    public static ChartData<KeyRequest, Decision> ofLimits(List<Limit> limits) {
        return new OfLimits(limits);
    }

    /** Collects what each policy decides that is not off. */
    public static ChartData<PolicyRequest, PolicyDecision> ofPolicies(Policies file) {
        Map<String, Limit> limits = new LinkedHashMap<>();
        for (Policy policy : file.policies()) {
            if (policy.mode() != Mode.OFF) {
                limits.put(policy.name(), policy.limit());
            }
        }
        return new OfPolicies(file, limits);
    }

    @Override
    public void accept(R request, List<D> decisions) {
        requests++;
        timeline.bin(request.timeMicros());
        look(request.timeMicros());
        add(request, decisions);
        probe.at(request.timeMicros());
        probe.decide(request);
    }

    abstract void add(R request, List<D> decisions);

    @Override
    public void end() {
        if (requests > 0) {
            look(timeline.start() + timeline.bins() * timeline.width());
        }
    }

    /** Looks at the busiest keys so far at the beginning of each bin that has passed without a look. */
    private void look(long until) {
        long width = timeline.width();
        long start = timeline.start();
        long next = lookedAt < 0 ? start : start + ((lookedAt - start) / width + 1) * width;
        if (next >= until) {
            return;
        }
        List<List<WatchedKey>> busiest =
                panels.stream().map(panel -> panel.busiest(LOOKED_AT)).toList();
        for (long time = next; time < until; time += width) {
            probe.at(time);
            for (int i = 0; i < panels.size(); i++) {
                for (WatchedKey key : busiest.get(i)) {
                    long left = probe.remaining(i, key.key());
                    if (left >= 0) {
                        key.look(time, left);
                    }
                }
            }
            lookedAt = time;
        }
    }

    @Override
    public void close() {
        probe.close();
    }

    public List<ChartPanel> panels() {
        return List.copyOf(panels);
    }

    public Timeline timeline() {
        return timeline;
    }

    /** The number of requests. */
    public long requests() {
        return requests;
    }

    ChartPanel panel(int index) {
        return panels.get(index);
    }

    private static final class OfLimits extends ChartData<KeyRequest, Decision> {
        private final List<Limit> limits;

        OfLimits(List<Limit> limits) {
            super(limits, new LimitProbe(limits));
            this.limits = limits;
        }

        @Override
        void add(KeyRequest request, List<Decision> decisions) {
            for (int i = 0; i < decisions.size(); i++) {
                Decision decision = decisions.get(i);
                panel(i).add(
                                request.timeMicros(),
                                request.key().text(),
                                request.permits(),
                                limits.get(i),
                                decision,
                                decision.allowed());
            }
        }
    }

    private static final class OfPolicies extends ChartData<PolicyRequest, PolicyDecision> {
        private final Map<String, ChartPanel> byName = new LinkedHashMap<>();

        OfPolicies(Policies file, Map<String, Limit> limits) {
            super(limits, new PolicyProbe(file, List.copyOf(limits.keySet())));
            panels().forEach(panel -> byName.put(panel.title(), panel));
        }

        @Override
        void add(PolicyRequest request, List<PolicyDecision> decisions) {
            PolicyDecision decision = decisions.get(0);
            for (PolicyResult result : decision.results()) {
                @Nullable ChartPanel panel = byName.get(result.policy());
                if (panel != null) {
                    panel.add(
                            request.timeMicros(),
                            PolicyKeys.text(result.key()),
                            request.permits(),
                            result.limit(),
                            result.decision(),
                            decision.allowed());
                }
            }
        }
    }
}
