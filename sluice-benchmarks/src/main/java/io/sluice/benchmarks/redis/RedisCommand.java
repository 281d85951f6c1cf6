package io.sluice.benchmarks.redis;

import io.sluice.benchmarks.Main;
import io.sluice.benchmarks.Progress;
import io.sluice.benchmarks.load.Pace;
import io.sluice.benchmarks.load.Row;
import io.sluice.benchmarks.load.Table;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench redis}: decisions that all processes share. */
@Command(
        name = "redis",
        description = "Decisions on a Redis, beside Redisson, Bucket4j on Lettuce, plain PING and, where"
                + " redis-benchmark is installed, the bare script.",
        footer = {
            "",
            "Progress, all figures and how they stand to the targets go to standard error; the table goes to standard"
                    + " output: ratio is ours over the peer's. The row of key-bytes has bytes instead of calls in a"
                    + " second, so there less is better."
        })
public final class RedisCommand implements Callable<Integer> {
    private final PrintStream out;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--redis",
            paramLabel = "URI",
            description = "The Redis to use, redis://[[user]:password@]host[:port][/database]; keys of this run are"
                    + " deleted at its end. Without it, one is started for the run.")
    private @Nullable String uri;

    @Option(names = "--quick", description = "Within two minutes, and noisier; without it, about eight.")
    private boolean quick;

    @Option(names = "--only", paramLabel = "CASE", description = "Only this case; may be repeated.")
    private List<String> only = new ArrayList<>();

    public RedisCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws Exception {
        check();
        Progress progress = new Progress();
        try (Redis redis = uri == null ? Redis.embedded() : Redis.at(uri);
                LineUp lineUp = new LineUp(redis)) {
            progress.say(redis.describe());
            progress.sayIfBusy();
            Cases cases = new Cases(lineUp, quick ? Pace.quick() : Pace.full(), only, progress);
            List<Row> rows = cases.measure();
            Table.printMatrix(rows, System.err);
            Targets.print(rows, lineUp.deniedShare(), System.err);
            System.err.flush();
            Table.printCsv(rows, out);
            out.flush();
            return cases.failed() ? Main.FAILED : 0;
        }
    }

    private void check() {
        for (String name : only) {
            if (!Cases.NAMES.contains(name)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--only " + name + " (expected: one of " + String.join(", ", Cases.NAMES) + ")");
            }
        }
        if (uri != null) {
            try {
                Redis.parse(uri);
            } catch (IllegalArgumentException e) {
                throw new ParameterException(spec.commandLine(), "--redis: " + e.getMessage());
            }
        }
    }
}
