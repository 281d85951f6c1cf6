package io.sluice.benchmarks.load;

import io.sluice.benchmarks.common.Median;
import io.sluice.benchmarks.common.ProgressLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/*
 * The speed of a machine changes with time. So there are rounds. In each round every contestant runs for a short time, one
 * after the other. The result is the median of the rounds. All share one JVM: the first rounds warm it up.
 */
/** Runs contestants in turns. */
public final class Rounds {
    private final LoadPlan plan;
    private final ProgressLog progress;
    private final Map<Contestant, List<Sample>> samples = new HashMap<>();
    private final Set<Contestant> failed = new HashSet<>();

    public Rounds(LoadPlan plan, ProgressLog progress) {
        this.plan = plan;
        this.progress = progress;
    }

    /** Runs all contestants of the cases. */
    public List<CaseResult> rows(List<Case> cases) throws InterruptedException {
        Set<Contestant> contestants = new LinkedHashSet<>();
        for (Case each : cases) {
            contestants.add(each.sluice());
            contestants.addAll(each.peers());
        }
        run(contestants);
        List<CaseResult> rows = new ArrayList<>();
        for (Case each : cases) {
            rows.add(new CaseResult(
                    each.name(),
                    figure(each.sluice()),
                    each.peers().stream().map(this::figure).toList()));
        }
        return rows;
    }

    /**
     * Runs all contestants of the cases. The ratio to a peer is the median of the ratios of the rounds, not the ratio of the
     * medians: what disturbs the machine in a round slows both.
     */
    public List<CaseResult> pairedRows(List<Case> cases) throws InterruptedException {
        List<CaseResult> rows = rows(cases);
        List<CaseResult> paired = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            Case each = cases.get(i);
            paired.add(new CaseResult(
                    each.name(),
                    rows.get(i).sluice(),
                    each.peers().stream()
                            .map(peer -> paired(each.sluice(), peer))
                            .toList()));
        }
        return paired;
    }

    private Measurement paired(Contestant sluice, Contestant peer) {
        Measurement alone = figure(peer);
        if (alone.rate() == null || figure(sluice).rate() == null) {
            return alone;
        }
        List<Sample> ours = samples.getOrDefault(sluice, List.of());
        List<Sample> theirs = samples.getOrDefault(peer, List.of());
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < ours.size(); round++) {
            ratios.add(ours.get(round).perSecond() / theirs.get(round).perSecond());
        }
        return new Measurement(alone.who(), alone.rate(), alone.p99Micros(), Median.of(ratios));
    }

    void run(Collection<Contestant> contestants) throws InterruptedException {
        for (int i = 1; i <= plan.warmUps(); i++) {
            for (Contestant contestant : contestants) {
                progress.log("warming up, " + contestant + " " + warmUp(contestant));
            }
        }
        for (int round = 1; round <= plan.rounds(); round++) {
            Duration start = progress.elapsed();
            for (Contestant contestant : contestants) {
                progress.log("round " + round + ", " + contestant + " " + measure(contestant));
            }
            Duration now = progress.elapsed();
            if (now.plus(now).minus(start).compareTo(plan.budget()) > 0) {
                return;
            }
        }
    }

    private String warmUp(Contestant contestant) throws InterruptedException {
        try {
            return Table.text(run(contestant));
        } catch (IllegalStateException e) {
            // A cold contestant may succeed in the measured rounds.
            return "failed: " + e.getMessage();
        }
    }

    /** Runs a contestant and returns its result as text. A failure leaves its result empty, and the others continue. */
    private String measure(Contestant contestant) throws InterruptedException {
        try {
            Sample sample = run(contestant);
            samples.computeIfAbsent(contestant, unused -> new ArrayList<>()).add(sample);
            return Table.text(sample);
        } catch (IllegalStateException e) {
            failed.add(contestant);
            return "FAILED: " + e.getMessage();
        }
    }

    private Sample run(Contestant contestant) throws InterruptedException {
        // A contestant must not pay for the garbage of the one before.
        System.gc();
        return contestant.load().run(plan.time());
    }

    /** The medians of a contestant. */
    Measurement figure(Contestant contestant) {
        List<Sample> all = failed.contains(contestant) ? null : samples.get(contestant);
        return new Measurement(contestant.who(), median(all, Sample::perSecond), median(all, Sample::p99Micros));
    }

    private static @Nullable Double median(@Nullable List<Sample> samples, ToDoubleFunction<Sample> number) {
        return samples == null
                ? null
                : Median.of(samples.stream().mapToDouble(number).boxed().toList());
    }

    /** Whether a contestant failed. */
    public boolean failed() {
        return !failed.isEmpty();
    }
}
