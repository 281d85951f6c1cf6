package io.sluice.benchmarks.server;

import io.sluice.benchmarks.Main;
import io.sluice.benchmarks.Progress;
import io.sluice.benchmarks.load.Case;
import io.sluice.benchmarks.load.Pace;
import io.sluice.benchmarks.load.Rounds;
import io.sluice.benchmarks.load.Row;
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

/** {@code bench server}: the service. */
@Command(
        name = "server",
        description =
                "The service in a process of its own, beside a bare Vert.x server, nginx where it is installed, and"
                        + " Redis with an equal script. Driven by wrk, h2load and redis-benchmark where they are installed.",
        footer = {
            "",
            "Progress, all figures and how they stand to the targets go to standard error; the table goes to standard"
                    + " output: ratio is ours over the peer's. The row of heap-mb has megabytes instead of calls in a"
                    + " second, so there less is better; likewise the rows of reload-5000, in which 5,000 policies are"
                    + " replaced 20 times under a fifth of the load that the servers can take: p999-us with reloads"
                    + " beside the same without, degraded answers, and the longest that an event loop was blocked."
        })
public final class ServerCommand implements Callable<Integer> {
    private static final List<String> NAMES = Stream.concat(
                    ServerLineUp.CASES.stream(), Stream.of(ServerLineUp.HEAP, ReloadCase.NAME))
            .toList();

    /** Servers in JVMs of their own take longer to warm up. */
    private static final Pace QUICK = new Pace(3, 3, Duration.ofSeconds(2), Duration.ofSeconds(170));

    private static final Pace FULL = new Pace(4, 9, Duration.ofSeconds(3), Duration.ofMinutes(9));

    private final PrintStream out;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(names = "--quick", description = "Within three minutes, and noisier; without it, about eight.")
    private boolean quick;

    @Option(names = "--only", paramLabel = "CASE", description = "Only this case; may be repeated.")
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
        Progress progress = new Progress();
        progress.sayIfBusy();
        Rounds rounds = new Rounds(quick ? QUICK : FULL, progress);
        List<Row> rows = new ArrayList<>();
        if (!asked.equals(List.of(ReloadCase.NAME))) {
            rows.addAll(inTurns(asked, rounds, progress));
        }
        if (asked.contains(ReloadCase.NAME)) {
            rows.addAll(new ReloadCase(progress, quick).rows());
        }
        Table.printMatrix(rows, System.err);
        ServerTargets.print(rows, System.err);
        System.err.flush();
        Table.printCsv(rows, out);
        out.flush();
        return rounds.failed() ? Main.FAILED : 0;
    }

    /** What all servers take part in. */
    private static List<Row> inTurns(List<String> asked, Rounds rounds, Progress progress) throws Exception {
        try (ServerLineUp lineUp = new ServerLineUp()) {
            List<Case> cases = new ArrayList<>();
            for (String name : ServerLineUp.CASES) {
                if (asked.contains(name)) {
                    cases.add(lineUp.of(name));
                }
            }
            List<Row> rows = new ArrayList<>(rounds.rows(cases));
            if (asked.contains(ServerLineUp.HEAP)) {
                progress.say("filling a million keys");
                rows.add(lineUp.heap());
            }
            return rows;
        }
    }
}
