package io.sluice.benchmarks.server;

import io.sluice.benchmarks.common.ExitCode;
import io.sluice.benchmarks.common.ProgressLog;
import io.sluice.benchmarks.load.Case;
import io.sluice.benchmarks.load.CaseResult;
import io.sluice.benchmarks.load.LoadPlan;
import io.sluice.benchmarks.load.Rounds;
import io.sluice.benchmarks.load.Table;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench server}: measures the service. */
@Command(
        name = "server",
        description =
                "Measure the service in its own process, beside a bare Vert.x server, nginx (if installed), and Redis"
                        + " with an equal script. wrk, h2load and redis-benchmark make the load, if they are installed.",
        footer = {
            "",
            "Standard output has the table as CSV. Standard error has the progress, all",
            "results and the targets.",
            "",
            "Columns of the table:",
            "  sluice_per_s, peer_per_s  calls per second",
            "  p99_us                    99th percentile of Sluice's latency, in microseconds",
            "  ratio                     sluice_per_s / peer_per_s; above 1, Sluice is faster",
            "",
            "Some rows have another unit in sluice_per_s and peer_per_s, and there a smaller",
            "number is better:",
            "  heap-mb-...               megabytes of heap; peer_per_s is the allowed maximum",
            "  reload-5000-...-p999-us   99.9th percentile of the latency with reloads, in",
            "                            microseconds; peer_per_s is the same without reloads",
            "  reload-5000-...-degraded  decisions made without Redis; peer_per_s is the",
            "                            allowed maximum",
            "  reload-5000-...-failed    failed requests; peer_per_s is the allowed maximum",
            "  reload-5000-...-blocked-us",
            "                            longest time that an event loop was blocked, in",
            "                            microseconds; peer_per_s is the allowed maximum",
            "  dashboards-50-...-cpu-ms  milliseconds of processor time in a second of an",
            "                            idle server with 50 open dashboards; peer_per_s is",
            "                            the allowed maximum",
            "  reserve-settle-...-cpu-ns nanoseconds of processor time, of the server and",
            "                            Redis, for a reserve with its settle; peer_per_s",
            "                            is the same for two checks",
            "",
            "The case reload-5000 replaces 5,000 policies 20 times, while the servers have a",
            "fifth of the load that they can take."
        })
public final class ServerCommand implements Callable<Integer> {
    private static final List<String> NAMES = Stream.concat(
                    ServerContestants.CASES.stream(),
                    Stream.of(ServerContestants.HEAP, ReloadCase.NAME, DashboardsCase.NAME, ReserveCase.NAME))
            .toList();

    /** Servers in separate JVMs need a longer warm-up. */
    private static final LoadPlan QUICK = new LoadPlan(3, 3, Duration.ofSeconds(2), Duration.ofSeconds(170));

    private static final LoadPlan FULL = new LoadPlan(4, 9, Duration.ofSeconds(3), Duration.ofMinutes(9));

    private final PrintStream out;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(names = "--quick", description = "Take three minutes instead of eight. The results are less exact.")
    private boolean quick;

    @Option(names = "--only", paramLabel = "CASE", description = "Run only this case; may be repeated.")
    private List<String> only = new ArrayList<>();

    public ServerCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws Exception {
        for (String name : only) {
            if (!NAMES.contains(name)) {
                throw new ParameterException(
                        spec.commandLine(), "--only " + name + " (expected: one of " + String.join(", ", NAMES) + ")");
            }
        }
        List<String> asked = only.isEmpty() ? NAMES : only;
        ProgressLog progress = new ProgressLog();
        progress.warnIfBusy();
        Rounds rounds = new Rounds(quick ? QUICK : FULL, progress);
        List<CaseResult> rows = new ArrayList<>();
        if (!List.of(ReloadCase.NAME, DashboardsCase.NAME, ReserveCase.NAME).containsAll(asked)) {
            rows.addAll(inTurns(asked, rounds, progress));
        }
        if (asked.contains(ReloadCase.NAME)) {
            rows.addAll(new ReloadCase(progress, quick).rows());
        }
        if (asked.contains(DashboardsCase.NAME)) {
            rows.addAll(new DashboardsCase(progress, quick).rows());
        }
        if (asked.contains(ReserveCase.NAME)) {
            rows.addAll(new ReserveCase(progress, quick).rows());
        }
        Table.printMatrix(rows, System.err);
        ServerTargets.print(rows, System.err);
        System.err.flush();
        Table.printCsv(rows, out);
        out.flush();
        return rounds.failed() ? ExitCode.FAILED : ExitCode.OK;
    }

    /** Runs the cases in which all servers take part. */
    private static List<CaseResult> inTurns(List<String> asked, Rounds rounds, ProgressLog progress) throws Exception {
        try (ServerContestants lineUp = new ServerContestants()) {
            List<Case> cases = new ArrayList<>();
            for (String name : ServerContestants.CASES) {
                if (asked.contains(name)) {
                    cases.add(lineUp.of(name));
                }
            }
            List<CaseResult> rows = new ArrayList<>(rounds.rows(cases));
            if (asked.contains(ServerContestants.HEAP)) {
                progress.log("filling a million keys");
                rows.add(lineUp.heap());
            }
            return rows;
        }
    }
}
