package io.sluice.benchmarks.local;

import io.sluice.benchmarks.common.TargetReport;
import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints the targets of the local benchmarks, for two cores, and whether they are met. */
final class LocalTargets {
    private final List<LocalResult> rows;
    private final TargetReport report;

    private LocalTargets(List<LocalResult> rows, PrintStream out) {
        this.rows = rows;
        this.report = new TargetReport(out);
    }

    static void print(List<LocalResult> rows, PrintStream out) {
        LocalTargets targets = new LocalTargets(rows, out);
        for (String name : List.of("handle-allow", "handle-deny")) {
            targets.report.atMost(name + " <= 1.3 x nanoTime", 1.3, targets.timesNanoTime(name));
            targets.fasterThanPeers(name, 1.2);
            targets.report.atMost(name + " allocates 0 bytes", 0.5, targets.bytes(name));
        }
        targets.fasterThanPeers("hot-key-2-threads", 1.2);
        targets.fasterThanPeers("million-keys", 2);
        targets.keyBytes();
        targets.simulate();
        targets.threeLevels();
        targets.asFastAsTheLeakyBucket(LocalCases.CALENDAR);
        targets.asFastAsTheLeakyBucket(LocalCases.WARM_UP);
        out.println();
    }

    private void fasterThanPeers(String name, double least) {
        LocalResult row = row(name);
        LocalMeasurement peer = row == null ? null : row.fastestPeer();
        if (row != null && peer != null) {
            report.atLeast(name + " >= " + least + " x faster than " + peer.who(), least, row.ratio());
        }
    }

    private void keyBytes() {
        LocalResult row = row(KeyBytes.NAME);
        if (row != null) {
            String peers = String.join(
                    "",
                    row.peers().stream()
                            .map(peer -> ", " + peer.who() + LocalTable.text(" %.0f", peer.bytes()))
                            .toList());
            report.atMost(
                    "million-keys <= 96 bytes a key" + peers, 96, row.sluice().bytes());
        }
    }

    private void threeLevels() {
        Double few = ns("three-levels-10-policies");
        Double many = ns("three-levels-10000-policies");
        if (few != null) {
            report.atMost("three-levels-10-policies <= 500 ns", 500, few);
            report.atLeast("three-levels-10-policies >= 1000000 decisions/s", 1_000_000, 1e9 / few);
        }
        if (few != null && many != null) {
            report.atMost("10000 policies <= 3 x 10 policies", 3, many / few);
        }
    }

    private void simulate() {
        LocalResult row = row(SimulateBenchmark.NAME);
        Double ns = row == null ? null : row.sluice().ns();
        if (ns != null) {
            report.atLeast("simulate >= 500000 rows/s", 500_000, 1e9 / ns);
        }
    }

    private void asFastAsTheLeakyBucket(String name) {
        Double ours = ns(name);
        Double leaky = ns("leaky-bucket");
        if (ours != null && leaky != null) {
            report.atLeast(name + " >= 0.7 x the leaky bucket's throughput", 0.7, leaky / ours);
            report.atMost(name + " allocates 0 bytes", 0.5, bytes(name));
        }
    }

    private @Nullable Double timesNanoTime(String name) {
        Double ours = ns(name);
        Double theirs = ns("nano-time");
        return ours == null || theirs == null ? null : ours / theirs;
    }

    private @Nullable Double ns(String name) {
        LocalResult row = row(name);
        return row == null ? null : row.sluice().ns();
    }

    private @Nullable Double bytes(String name) {
        LocalResult row = row(name);
        return row == null ? null : row.sluice().bytes();
    }

    private @Nullable LocalResult row(String name) {
        return rows.stream().filter(row -> row.name().equals(name)).findFirst().orElse(null);
    }
}
