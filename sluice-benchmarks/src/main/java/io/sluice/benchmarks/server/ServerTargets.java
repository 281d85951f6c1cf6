package io.sluice.benchmarks.server;

import io.sluice.benchmarks.Verdicts;
import io.sluice.benchmarks.load.Figure;
import io.sluice.benchmarks.load.Row;
import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What we want to reach, where client and server share two cores, and whether we do. */
final class ServerTargets {
    private final List<Row> rows;
    private final Verdicts verdicts;

    private ServerTargets(List<Row> rows, PrintStream out) {
        this.rows = rows;
        this.verdicts = new Verdicts(out);
    }

    static void print(List<Row> rows, PrintStream out) {
        ServerTargets targets = new ServerTargets(rows, out);
        targets.timesPeer(ServerLineUp.HTTP, ServerLineUp.BARE, 0.6);
        targets.p99(ServerLineUp.HTTP, ServerLineUp.BARE, 3);
        targets.timesPeer(ServerLineUp.RESP, ServerLineUp.REDIS, 3);
        targets.timesPeer(ServerLineUp.GRPC, ServerLineUp.BARE, 0.6);
        targets.timesPeer(ServerLineUp.MILLION_KEYS, ServerLineUp.THOUSAND_KEYS, 0.8);
        targets.heap();
        targets.reload();
        out.println();
    }

    private void timesPeer(String name, String who, double least) {
        Row row = row(name);
        if (row != null) {
            verdicts.atLeast(name + " >= " + least + " x " + who, least, row.ratio(row.peer(who)));
        }
    }

    private void p99(String name, String who, double most) {
        Row row = row(name);
        Figure peer = row == null ? null : row.peer(who);
        if (row != null && peer != null && peer.p99Micros() != null) {
            Double ours = row.sluice().p99Micros();
            verdicts.atMost(
                    name + " p99 <= " + most + " x " + who, most, ours == null ? null : ours / peer.p99Micros());
        }
    }

    private void heap() {
        Row row = row(ServerLineUp.HEAP);
        if (row != null) {
            verdicts.atMost(
                    row.name() + " <= 300",
                    ServerLineUp.MOST_HEAP_MB,
                    row.sluice().rate());
        }
    }

    private void reload() {
        for (Row row : rows) {
            if (row.name().startsWith(ReloadCase.NAME)) {
                Figure bound = row.peer(ServerLineUp.BOUND);
                Figure without = row.peer(ReloadCase.WITHOUT);
                Double most = bound == null ? null : bound.rate();
                if (without != null && without.rate() != null) {
                    most = Math.max(3 * without.rate(), ReloadCase.MOST_MICROS);
                }
                if (most != null) {
                    verdicts.atMost(
                            row.name() + " <= " + Math.round(most),
                            most,
                            row.sluice().rate());
                }
            }
        }
    }

    private @Nullable Row row(String name) {
        return rows.stream().filter(row -> row.name().equals(name)).findFirst().orElse(null);
    }
}
