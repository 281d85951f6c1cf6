package io.sluice.benchmarks;

import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What we want to reach, on two cores, and whether we do. */
final class Targets {
    private final List<Row> rows;
    private final Verdicts verdicts;

    private Targets(List<Row> rows, PrintStream out) {
        this.rows = rows;
        this.verdicts = new Verdicts(out);
    }

    static void print(List<Row> rows, PrintStream out) {
        Targets targets = new Targets(rows, out);
        for (String name : List.of("handle-allow", "handle-deny")) {
            targets.verdicts.atMost(name + " <= 1.3 x nanoTime", 1.3, targets.timesNanoTime(name));
            targets.fasterThanPeers(name, 1.2);
            targets.verdicts.atMost(name + " allocates 0 bytes", 0.5, targets.bytes(name));
        }
        targets.fasterThanPeers("hot-key-2-threads", 1.2);
        targets.fasterThanPeers("million-keys", 2);
        targets.keyBytes();
        targets.simulate();
        targets.threeLevels();
        out.println();
    }

    private void fasterThanPeers(String name, double least) {
        Row row = row(name);
        Figure peer = row == null ? null : row.fastestPeer();
        if (row != null && peer != null) {
            verdicts.atLeast(name + " >= " + least + " x faster than " + peer.who(), least, row.ratio());
        }
    }

    private void keyBytes() {
        Row row = row(KeyBytes.NAME);
        if (row != null) {
            String peers = String.join(
                    "",
                    row.peers().stream()
                            .map(peer -> ", " + peer.who() + Table.text(" %.0f", peer.bytes()))
                            .toList());
            verdicts.atMost(
                    "million-keys <= 96 bytes a key" + peers, 96, row.sluice().bytes());
        }
    }

    private void threeLevels() {
        Double few = ns("three-levels-10-policies");
        Double many = ns("three-levels-10000-policies");
        if (few != null) {
            verdicts.atMost("three-levels-10-policies <= 500 ns", 500, few);
            verdicts.atLeast("three-levels-10-policies >= 1000000 decisions/s", 1_000_000, 1e9 / few);
        }
        if (few != null && many != null) {
            verdicts.atMost("10000 policies <= 3 x 10 policies", 3, many / few);
        }
    }

    private void simulate() {
        Row row = row(Simulate.NAME);
        Double ns = row == null ? null : row.sluice().ns();
        if (ns != null) {
            verdicts.atLeast("simulate >= 500000 rows/s", 500_000, 1e9 / ns);
        }
    }

    private @Nullable Double timesNanoTime(String name) {
        Double ours = ns(name);
        Double theirs = ns("nano-time");
        return ours == null || theirs == null ? null : ours / theirs;
    }

    private @Nullable Double ns(String name) {
        Row row = row(name);
        return row == null ? null : row.sluice().ns();
    }

    private @Nullable Double bytes(String name) {
        Row row = row(name);
        return row == null ? null : row.sluice().bytes();
    }

    private @Nullable Row row(String name) {
        return rows.stream().filter(row -> row.name().equals(name)).findFirst().orElse(null);
    }
}
