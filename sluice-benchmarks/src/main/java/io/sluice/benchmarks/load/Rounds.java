package io.sluice.benchmarks.load;

import io.sluice.benchmarks.Median;
import io.sluice.benchmarks.Progress;
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
 * A machine is not equally fast all the time. So everybody runs shortly, one after the other, in each of some rounds, and
 * the median over the rounds counts. All share one JVM: the first rounds warm it up.
 */
/** Runs contestants, interleaved. */
public final class Rounds {
    private final Pace pace;
    private final Progress progress;
    private final Map<Contestant, List<Sample>> samples = new HashMap<>();
    private final Set<Contestant> failed = new HashSet<>();

    public Rounds(Pace pace, Progress progress) {
        this.pace = pace;
        this.progress = progress;
    }

    /** Runs all that take part in some case. */
    public List<Row> rows(List<Case> cases) throws InterruptedException {
        Set<Contestant> contestants = new LinkedHashSet<>();
        for (Case each : cases) {
            contestants.add(each.sluice());
            contestants.addAll(each.peers());
        }
        run(contestants);
        List<Row> rows = new ArrayList<>();
        for (Case each : cases) {
            rows.add(new Row(
                    each.name(),
                    figure(each.sluice()),
                    each.peers().stream().map(this::figure).toList()));
        }
        return rows;
    }

    void run(Collection<Contestant> contestants) throws InterruptedException {
        for (int i = 1; i <= pace.warmUps(); i++) {
            for (Contestant contestant : contestants) {
                progress.say("warming up, " + contestant + " " + warmUp(contestant));
            }
        }
        for (int round = 1; round <= pace.rounds(); round++) {
            Duration start = progress.elapsed();
            for (Contestant contestant : contestants) {
                progress.say("round " + round + ", " + contestant + " " + measure(contestant));
            }
            Duration now = progress.elapsed();
            if (now.plus(now).minus(start).compareTo(pace.budget()) > 0) {
                return;
            }
        }
    }

    private String warmUp(Contestant contestant) throws InterruptedException {
        try {
            return Table.text(run(contestant));
        } catch (IllegalStateException e) {
            // Who is only cold will do better when it counts.
            return "failed: " + e.getMessage();
        }
    }

    /** Runs one; what came of it, as text. One that fails leaves its place empty, and the others go on. */
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
        // Nobody is to clean up after the one before.
        System.gc();
        return contestant.load().run(pace.time());
    }

    /** The medians of a contestant. */
    Figure figure(Contestant contestant) {
        List<Sample> all = failed.contains(contestant) ? null : samples.get(contestant);
        return new Figure(contestant.who(), median(all, Sample::perSecond), median(all, Sample::p99Micros));
    }

    private static @Nullable Double median(@Nullable List<Sample> samples, ToDoubleFunction<Sample> number) {
        return samples == null
                ? null
                : Median.of(samples.stream().mapToDouble(number).boxed().toList());
    }

    /** Whether there was one that failed. */
    public boolean failed() {
        return !failed.isEmpty();
    }
}
