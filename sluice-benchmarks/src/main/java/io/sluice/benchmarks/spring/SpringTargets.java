package io.sluice.benchmarks.spring;

import io.sluice.benchmarks.common.TargetReport;
import io.sluice.benchmarks.load.CaseResult;
import java.io.PrintStream;
import java.util.List;

/** Prints the targets of the Spring benchmarks, and whether they are met. */
final class SpringTargets {
    private static final double LEAST_OF_BARE = 0.9;
    private static final double MOST_OF_OWN = 0.5;

    private SpringTargets() {}

    static void print(List<CaseResult> rows, PrintStream out) {
        TargetReport report = new TargetReport(out);
        for (CaseResult row : rows) {
            if (row.name().equals(MvcContestants.NAME)) {
                report.atLeast(
                        row.name() + " >= " + LEAST_OF_BARE + " x " + MvcContestants.BARE,
                        LEAST_OF_BARE,
                        row.ratio(row.peer(MvcContestants.BARE)));
            } else if (row.name().equals(GatewayCase.ADDED)) {
                report.atMost(
                        row.name() + " <= " + MOST_OF_OWN + " x " + GatewayCase.OWN,
                        MOST_OF_OWN,
                        row.ratio(row.peer(GatewayCase.OWN)));
            }
        }
        out.println();
    }
}
