package io.sluice.benchmarks.server;

import io.sluice.benchmarks.common.TargetReport;
import io.sluice.benchmarks.load.CaseResult;
import io.sluice.benchmarks.load.Measurement;
import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints the targets of the server benchmarks, for a client and a server on two cores, and whether they are met. */
final class ServerTargets {
    private final List<CaseResult> rows;
    private final TargetReport report;

    private ServerTargets(List<CaseResult> rows, PrintStream out) {
        this.rows = rows;
        this.report = new TargetReport(out);
    }

    static void print(List<CaseResult> rows, PrintStream out) {
        ServerTargets targets = new ServerTargets(rows, out);
        targets.timesPeer(ServerContestants.HTTP, ServerContestants.BARE, 0.6);
        targets.p99(ServerContestants.HTTP, ServerContestants.BARE, 3);
        targets.timesPeer(ServerContestants.RESP, ServerContestants.REDIS, 3);
        targets.timesPeer(ServerContestants.GRPC, ServerContestants.BARE, 0.6);
        targets.timesPeer(ServerContestants.MILLION_KEYS, ServerContestants.THOUSAND_KEYS, 0.8);
        targets.heap();
        targets.bounded();
        targets.reserve();
        out.println();
    }

    private void timesPeer(String name, String who, double least) {
        CaseResult row = row(name);
        if (row != null) {
            report.atLeast(name + " >= " + least + " x " + who, least, row.ratio(row.peer(who)));
        }
    }

    private void p99(String name, String who, double most) {
        CaseResult row = row(name);
        Measurement peer = row == null ? null : row.peer(who);
        if (row != null && peer != null && peer.p99Micros() != null) {
            Double ours = row.sluice().p99Micros();
            report.atMost(name + " p99 <= " + most + " x " + who, most, ours == null ? null : ours / peer.p99Micros());
        }
    }

    private void heap() {
        CaseResult row = row(ServerContestants.HEAP);
        if (row != null) {
            report.atMost(
                    row.name() + " <= 300",
                    ServerContestants.MOST_HEAP_MB,
                    row.sluice().rate());
        }
    }

    private void bounded() {
        for (CaseResult row : rows) {
            if (row.name().startsWith(ReloadCase.NAME) || row.name().startsWith(DashboardsCase.NAME)) {
                Measurement bound = row.peer(ServerContestants.BOUND);
                Measurement without = row.peer(ReloadCase.WITHOUT);
                Double most = bound == null ? null : bound.rate();
                if (without != null && without.rate() != null) {
                    most = Math.max(3 * without.rate(), ReloadCase.MOST_MICROS);
                }
                if (most != null) {
                    report.atMost(
                            row.name() + " <= " + Math.round(most),
                            most,
                            row.sluice().rate());
                }
            }
        }
    }

    private void reserve() {
        for (CaseResult row : rows) {
            if (row.name().startsWith(ReserveCase.NAME)) {
                report.atMost(
                        row.name() + " <= " + ReserveCase.MOST_RATIO + " x " + ReserveCase.CHECKS,
                        ReserveCase.MOST_RATIO,
                        row.ratio(row.peer(ReserveCase.CHECKS)));
            }
        }
    }

    private @Nullable CaseResult row(String name) {
        return rows.stream().filter(row -> row.name().equals(name)).findFirst().orElse(null);
    }
}
