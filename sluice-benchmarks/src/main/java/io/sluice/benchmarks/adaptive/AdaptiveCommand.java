package io.sluice.benchmarks.adaptive;

import io.sluice.benchmarks.common.ExitCode;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench adaptive}: limits that adapt, on a simulated server. */
@Command(
        name = "adaptive",
        description = "Run limits that adapt on a simulated server, beside Netflix concurrency-limits and Sentinel.",
        footer = {
            "",
            "Time is simulated: the same seed gives the same table. Standard output has the",
            "table as CSV, standard error the targets. The exit code is 1 if one is missed.",
            "",
            "Modes: adaptive, adapt-cpu and adapt-latency limit what is in flight, and must",
            "keep the targets. adapt-cpu-of-rate and adapt-latency-of-rate limit a rate, for",
            "comparison: while a rate is too high a queue grows, and no rule sees it at once.",
            "",
            "Columns of the table:",
            "  goodput        responses in time, as a share of what an ideal limit gets. In",
            "                 time: within three times the p99 of the unloaded server",
            "  worst_goodput  the same for the worst 5 s, from 10 s after each change on",
            "  p99_ratio      p99 of the latency, in times of that of the unloaded server",
            "  turns          changes of direction of the limit, in the worst minute"
        })
public final class AdaptiveCommand implements Callable<Integer> {
    private final PrintStream out;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the random numbers. Default: 1")
    private long seed;

    @Option(
            names = "--plot",
            paramLabel = "DIR",
            description = "Write plots of each mode over time to this directory, as SVG.")
    private @Nullable Path plot;

    @Option(
            names = "--process",
            description = "Measure a real process instead: an HTTP handler that burns CPU, at three times its capacity."
                    + " Takes a minute.")
    private boolean process;

    public AdaptiveCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws Exception {
        if (process) {
            new BurningProcess(plot).measure(out);
            return ExitCode.OK;
        }
        if (plot != null) {
            Plots.write(plot, seed);
            return ExitCode.OK;
        }
        AdaptiveTable table = new AdaptiveTable();
        table.run(Scenario.all(), Modes.all(), seed);
        table.printCsv(out);
        out.flush();
        return table.printTargets(System.err) ? ExitCode.OK : ExitCode.FAILED;
    }
}
