package io.sluice.benchmarks.spring;

import io.sluice.benchmarks.common.ExitCode;
import io.sluice.benchmarks.common.ProgressLog;
import io.sluice.benchmarks.load.CaseResult;
import io.sluice.benchmarks.load.LoadPlan;
import io.sluice.benchmarks.load.Rounds;
import io.sluice.benchmarks.load.Table;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench spring}: measures the Spring Boot starter. */
@Command(
        name = "spring",
        description = "Measure what the Spring Boot starter costs: a controller that returns a constant, beside"
                + " bucket4j-spring-boot-starter and resilience4j-spring-boot3, and a gateway with Redis, beside"
                + " its own RedisRateLimiter. wrk makes the load, if it is installed.",
        footer = {
            "",
            "Standard output has the table as CSV. Standard error has the progress, all",
            "results and the targets.",
            "",
            "Each application has its own process and class path, without the actuator. No",
            "request is denied.",
            "  mvc-3-policies   a controller on Tomcat with three policies in memory: for all",
            "                   requests, per API key (1,000 keys), per IP address.",
            "                   Bucket4j has the same three rate limits in Caffeine.",
            "                   Resilience4j has three nested methods with @RateLimiter, and",
            "                   no keys.",
            "  gateway-hot-key  a route of Spring Cloud Gateway with one policy, one key, and",
            "                   a Redis that is started for the run.",
            "",
            "Columns of the table:",
            "  sluice_per_s, peer_per_s  requests per second",
            "  p99_us                    99th percentile of Sluice's latency, in microseconds",
            "  ratio                     Sluice / peer, the median of the rounds; above 1,",
            "                            Sluice is faster",
            "",
            "Some rows have another unit in sluice_per_s and peer_per_s, and there a smaller",
            "number is better:",
            "  gateway-hot-key-cpu-ns        CPU time of the gateway for each request, in",
            "                                nanoseconds",
            "  gateway-hot-key-added-cpu-ns  the same, less that of a gateway without a",
            "                                limiter",
            "  gateway-hot-key-redis-cpu-ns  CPU time of Redis for each request"
        })
public final class SpringCommand implements Callable<Integer> {
    private static final List<String> NAMES = List.of(MvcContestants.NAME, GatewayCase.NAME);

    /*
     * Many short rounds: a disturbance of the machine is shorter than a round of all contestants. Many warm-ups: the first
     * rounds of an application measure the compiler of the JVM.
     */
    private static final LoadPlan QUICK = new LoadPlan(6, 3, Duration.ofSeconds(2), Duration.ofSeconds(100));

    private static final LoadPlan FULL = new LoadPlan(12, 15, Duration.ofSeconds(2), Duration.ofMinutes(5));

    private final PrintStream out;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(names = "--quick", description = "Take three minutes instead of seven. The results are less exact.")
    private boolean quick;

    @Option(names = "--only", paramLabel = "CASE", description = "Run only this case; may be repeated.")
    private List<String> only = new ArrayList<>();

    public SpringCommand(PrintStream out) {
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
        AppDirectory apps = AppDirectory.ofLauncher();
        LoadPlan plan = quick ? QUICK : FULL;
        new ProgressLog().warnIfBusy();
        List<CaseResult> rows = new ArrayList<>();
        boolean failed = false;
        // The time of a plan begins when the applications have started.
        if (asked.contains(MvcContestants.NAME)) {
            try (MvcContestants contestants = new MvcContestants(apps)) {
                Rounds rounds = new Rounds(plan, new ProgressLog());
                rows.addAll(rounds.pairedRows(List.of(contestants.toCase())));
                failed = rounds.failed();
            }
        }
        if (asked.contains(GatewayCase.NAME)) {
            try (GatewayCase gateway = new GatewayCase(apps)) {
                rows.addAll(gateway.rows(plan, new ProgressLog()));
            }
        }
        Table.printMatrix(rows, System.err);
        SpringTargets.print(rows, System.err);
        System.err.flush();
        Table.printCsv(rows, out);
        out.flush();
        return failed ? ExitCode.FAILED : ExitCode.OK;
    }
}
