package io.sluice.benchmarks.redis;

import io.sluice.benchmarks.common.ExitCode;
import io.sluice.benchmarks.common.ProgressLog;
import io.sluice.benchmarks.load.CaseResult;
import io.sluice.benchmarks.load.LoadPlan;
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

/** {@code bench redis}: measures decisions on a shared Redis. */
@Command(
        name = "redis",
        description =
                "Measure decisions on a Redis, beside Redisson, Bucket4j on Lettuce and plain PING. If redis-benchmark"
                        + " is installed, also beside the bare script.",
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
            "One row has another unit in sluice_per_s and peer_per_s, and there a smaller",
            "number is better:",
            "  key-bytes                 bytes of Redis memory per key"
        })
public final class RedisCommand implements Callable<Integer> {
    private final PrintStream out;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--redis",
            paramLabel = "URI",
            description = "Redis to use: redis://[[user]:password@]host[:port][/database]. The keys of this run are"
                    + " deleted at the end. Default: a Redis that is started for the run.")
    private @Nullable String uri;

    @Option(names = "--quick", description = "Take two minutes instead of eight. The results are less exact.")
    private boolean quick;

    @Option(names = "--only", paramLabel = "CASE", description = "Run only this case; may be repeated.")
    private List<String> only = new ArrayList<>();

    public RedisCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws Exception {
        check();
        ProgressLog progress = new ProgressLog();
        try (Redis redis = uri == null ? Redis.embedded() : Redis.at(uri);
                RedisContestants lineUp = new RedisContestants(redis)) {
            progress.log(redis.describe());
            progress.warnIfBusy();
            RedisCases cases = new RedisCases(lineUp, quick ? LoadPlan.quick() : LoadPlan.full(), only, progress);
            List<CaseResult> rows = cases.measure();
            Table.printMatrix(rows, System.err);
            RedisTargets.print(rows, lineUp.deniedShare(), System.err);
            System.err.flush();
            Table.printCsv(rows, out);
            out.flush();
            return cases.failed() ? ExitCode.FAILED : ExitCode.OK;
        }
    }

    private void check() {
        for (String name : only) {
            if (!RedisCases.NAMES.contains(name)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--only " + name + " (expected: one of " + String.join(", ", RedisCases.NAMES) + ")");
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
