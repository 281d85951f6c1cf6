package io.sluice.benchmarks.adaptive;

import java.util.Arrays;

/*
 * Good are responses within three times the 99th percentile of the unloaded server of that phase, counted from the arrival: later ones
 * serve nobody. A phase is settled from 10 s after its begin.
 */
/** What happened in a run. */
final class RunRecord {
    static final int SETTLING_SECONDS = 10;
    private static final int WINDOW_SECONDS = 5;
    private static final int SAMPLES_PER_SECOND = 10;
    private static final long SECOND = 1_000_000;
    /** Latencies are counted in tenths of a millisecond, up to ten seconds. */
    private static final int LATENCY_BINS = 100_000;

    private final Scenario scenario;
    private final int[] starts;
    private final long[] unloaded;
    private final long[] good;
    private final double[] numbers;
    private final int[][] settled;
    private final long[][] perSecond;
    private int phase;
    private int samples;

    RunRecord(Scenario scenario) {
        this.scenario = scenario;
        int phases = scenario.phases().size();
        starts = new int[phases + 1];
        unloaded = new long[phases];
        settled = new int[phases][LATENCY_BINS];
        for (int i = 0; i < phases; i++) {
            starts[i + 1] = starts[i] + scenario.phases().get(i).seconds();
            unloaded[i] = scenario.phases().get(i).unloadedPercentile(99);
        }
        good = new long[starts[phases]];
        perSecond = new long[starts[phases]][];
        numbers = new double[starts[phases] * SAMPLES_PER_SECOND];
    }

    void begin(int phase) {
        this.phase = phase;
    }

    void number(long t, double number) {
        if (samples < numbers.length) {
            numbers[samples++] = number;
        }
    }

    void finished(long t, long latency) {
        int second = (int) (t / SECOND);
        if (latency <= 3 * unloaded[phase]) {
            good[second]++;
        }
        if (second >= starts[phase] + SETTLING_SECONDS) {
            settled[phase][(int) Math.min(LATENCY_BINS - 1, latency / 100)]++;
        }
        if (perSecond[second] == null) {
            perSecond[second] = new long[] {0, 0};
        }
        perSecond[second][0]++;
        perSecond[second][1] += latency;
    }

    /** Good responses, as a share of the ideal, over the whole run. */
    double goodput() {
        double ideal = 0;
        for (Phase each : scenario.phases()) {
            ideal += each.ideal() * each.seconds();
        }
        return Arrays.stream(good).sum() / ideal;
    }

    /** The worst five seconds of all settled times: good responses as a share of the ideal. */
    double worstGoodput() {
        double worst = Double.MAX_VALUE;
        for (int i = 0; i < starts.length - 1; i++) {
            double ideal = scenario.phases().get(i).ideal() * WINDOW_SECONDS;
            for (int from = starts[i] + SETTLING_SECONDS;
                    from + WINDOW_SECONDS <= starts[i + 1];
                    from += WINDOW_SECONDS) {
                long sum = 0;
                for (int second = from; second < from + WINDOW_SECONDS; second++) {
                    sum += good[second];
                }
                worst = Math.min(worst, sum / ideal);
            }
        }
        return worst;
    }

    /** The largest 99th percentile of a settled phase, as a multiple of the unloaded one. */
    double worstLatency() {
        double worst = 0;
        for (int i = 0; i < starts.length - 1; i++) {
            long all = Arrays.stream(settled[i]).asLongStream().sum();
            long rest = all - all / 100;
            int bin = 0;
            while (bin < LATENCY_BINS - 1 && rest > settled[i][bin]) {
                rest -= settled[i][bin++];
            }
            worst = Math.max(worst, 100.0 * (bin + 1) / unloaded[i]);
        }
        return worst;
    }

    /** The most changes of direction of the limit in any minute of a settled phase. */
    int mostTurns() {
        int most = 0;
        for (int i = 0; i < starts.length - 1; i++) {
            int from = (starts[i] + SETTLING_SECONDS) * SAMPLES_PER_SECOND;
            int to = Math.min(samples, starts[i + 1] * SAMPLES_PER_SECOND);
            for (int minute = from;
                    minute == from || minute + 60 * SAMPLES_PER_SECOND <= to;
                    minute += SAMPLES_PER_SECOND) {
                most = Math.max(most, turns(minute, Math.min(to, minute + 60 * SAMPLES_PER_SECOND)));
            }
        }
        return most;
    }

    private int turns(int from, int to) {
        int turns = 0;
        double direction = 0;
        for (int i = from + 1; i < to; i++) {
            double step = Math.signum(numbers[i] - numbers[i - 1]);
            if (step != 0) {
                turns += direction != 0 && step != direction ? 1 : 0;
                direction = step;
            }
        }
        return turns;
    }

    int seconds() {
        return good.length;
    }

    /** Good responses in a second. */
    double goodAt(int second) {
        return good[second];
    }

    /** The mean latency of a second, in milliseconds. */
    double latencyAt(int second) {
        long[] sums = perSecond[second];
        return sums == null ? 0 : sums[1] / 1000.0 / sums[0];
    }

    double numberAt(int second) {
        return numbers[Math.min(samples - 1, second * SAMPLES_PER_SECOND)];
    }
}
