package io.sluice.cli.simulate;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.LimitSyntaxException;
import io.sluice.cli.console.InputFiles;
import io.sluice.cli.console.InvalidInputException;
import io.sluice.cli.console.OutputBuffer;
import io.sluice.cli.console.PolicyFiles;
import io.sluice.cli.console.Stdio;
import io.sluice.cli.console.Version;
import io.sluice.cli.simulate.plot.Plot;
import io.sluice.cli.simulate.plot.PlotFile;
import io.sluice.cli.simulate.redis.RedisRunner;
import io.sluice.cli.simulate.report.DecisionWriter.Format;
import io.sluice.cli.simulate.report.DiffJson;
import io.sluice.cli.simulate.report.DiffSink;
import io.sluice.cli.simulate.report.DiffText;
import io.sluice.cli.simulate.report.LimitDecisionSink;
import io.sluice.cli.simulate.report.PolicyDecisionSink;
import io.sluice.cli.simulate.report.PolicyDiff;
import io.sluice.cli.simulate.report.ProgressLine;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyDecision;
import io.sluice.server.RedisAddress;
import io.sluice.server.json.DisplayText;
import io.sluice.server.simulate.Simulatable;
import io.sluice.server.simulate.chart.ChartData;
import io.sluice.server.simulate.decide.DeciderFactory;
import io.sluice.server.simulate.decide.DecisionSink;
import io.sluice.server.simulate.decide.LimitDeciders;
import io.sluice.server.simulate.decide.MemoryRunner;
import io.sluice.server.simulate.decide.PolicyDeciders;
import io.sluice.server.simulate.decide.Simulation;
import io.sluice.server.simulate.decide.TraceRunner;
import io.sluice.server.simulate.trace.CsvRequestReader;
import io.sluice.server.simulate.trace.GzipDetectingInputStream;
import io.sluice.server.simulate.trace.JsonRequestReader;
import io.sluice.server.simulate.trace.KeyRequest;
import io.sluice.server.simulate.trace.PolicyRequest;
import io.sluice.server.simulate.trace.RequestReader;
import io.sluice.server.simulate.trace.TimedRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice simulate}: decides recorded requests by limits or policies. */
@Command(
        name = "simulate",
        description = "Decide recorded requests by limits or policies.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpAutoWidth = true,
        sortOptions = false,
        footer = {
            "",
            "With --limit, the input is CSV with the header time_us,key,permits.",
            "With --config, the input is one JSON object per line; permits is optional:",
            "  {\"time_us\":0,\"attributes\":{\"tenant\":\"acme\"},\"permits\":1}",
            "Times are in microseconds and never decrease. The input may be gzipped.",
            "",
            "A limit is [ALGORITHM] N/UNIT, N/DURATION or N per DURATION, then options:",
            "  token-bucket 10/s burst 20         the default; option: refill interval",
            "  leaky-bucket 10/s capacity 20",
            "  fixed-window 100 per 1m            option: from-first",
            "  fixed-window 9000 per month zone Asia/Shanghai    or per day, week, year",
            "  sliding-log 5 per 1m lockout 5m    lockout: an option of all, also with",
            "                                     escalate 5: up to 5 times twice as long",
            "  sliding-counter 1000 per 1h slots 60",
            "  warm-up 100/s over 10s             after a pause it starts three times slower",
            "  unlimited",
            "  blocked",
            "",
            "Examples:",
            "  sluice simulate --limit \"10/s burst 20\" --plot plot.svg trace.csv > out.csv",
            "  sluice simulate --config policies.yaml requests.jsonl > decisions.jsonl",
            "  sluice simulate --config policies.yaml --diff new.yaml requests.jsonl"
        })
public final class SimulateCommand implements Callable<Integer> {
    private static final String STDIN = "stdin";
    private static final int MOST_TOP = 10_000;

    private final Stdio stdio;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--limit",
            paramLabel = "TEXT",
            description =
                    "Limit, such as 600/min. May be repeated: then each limit decides every row independently, and"
                            + " the first column of the output names the limit.")
    private List<String> limits = new ArrayList<>();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Policy file, in YAML, to use instead of a limit; - is standard input.")
    private @Nullable Path config;

    @Option(
            names = "--diff",
            paramLabel = "OTHER",
            description = "Second policy file: print which decisions it would change, instead of the decisions.")
    private @Nullable Path other;

    @Option(names = "--top", paramLabel = "N", description = "Number of keys in the diff. Default: 10.")
    private @Nullable String top;

    @Option(
            names = "--format",
            paramLabel = "csv|json|text",
            description = "Output format: csv (default) or json with --limit, json with --config, text (default) or"
                    + " json with --diff.")
    private @Nullable String format;

    @Option(
            names = "--store",
            paramLabel = "memory|URI",
            description =
                    "Store for the state. Default: memory. A URI means a Redis: redis://host:6379, rediss://host for TLS,"
                            + " or redis-sentinel://host#master. The keys of this run are deleted at the end.")
    private String store = "memory";

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description = "Also draw the decisions: as PNG if the name ends with .png, else as SVG.")
    private @Nullable Path plot;

    @Parameters(
            paramLabel = "FILE",
            arity = "0..1",
            description = "Recorded requests. Default: standard input, as with -.")
    private @Nullable Path file;

    public SimulateCommand(Stdio stdio) {
        this.stdio = stdio;
    }

    @Override
    public Integer call() throws IOException {
        requireOneKind();
        if (PolicyFiles.isStdin(file)) {
            file = null;
        }
        requireOneFromStdin();
        OutputBuffer out = new OutputBuffer(stdio.out());
        ProgressLine progress = new ProgressLine(stdio.err(), stdio.errIsTerminal(), System::nanoTime);
        if (config == null) {
            simulateLimits(out, progress);
        } else if (other == null) {
            simulatePolicies(config, out, progress);
        } else {
            simulateDiff(config, other, out, progress);
        }
        return 0;
    }

    private void requireOneKind() {
        if (config == null && limits.isEmpty()) {
            throw usageError("missing --limit TEXT or --config FILE (expected: a limit such as 600/min, or policies)");
        } else if (config != null && !limits.isEmpty()) {
            throw usageError("--limit and --config (expected: one of them)");
        } else if (other != null && plot != null) {
            throw usageError("--plot and --diff (expected: one of them)");
        } else if (config == null && other != null) {
            throw usageError("--diff without --config (expected: --config FILE, the policies to compare with)");
        } else if (other == null && top != null) {
            throw usageError("--top without --diff (expected: --diff OTHER, whose keys it limits)");
        }
    }

    /** Standard input can be read only once. */
    private void requireOneFromStdin() {
        boolean policies = PolicyFiles.isStdin(config);
        boolean others = PolicyFiles.isStdin(other);
        if (policies && others) {
            throw usageError("--config - and --diff - (expected: one of them from a file)");
        } else if ((policies || others) && file == null) {
            String option = policies ? "--config" : "--diff";
            throw usageError(
                    option + " - without FILE (expected: a file of requests, as standard input has the policies)");
        }
    }

    private void simulateLimits(OutputBuffer out, ProgressLine progress) throws IOException {
        Format chosen = format("csv", "json").equals("csv") ? Format.CSV : Format.JSON;
        RedisAddress redis = redis();
        List<Limit> parsed = limits.stream().map(SimulateCommand::limit).toList();
        try (InputStream in = open("a CSV file", " with the header " + CsvRequestReader.HEADER);
                PlotFile target = plot == null ? null : new PlotFile(plot);
                ChartData<KeyRequest, Decision> data = target == null ? null : ChartData.ofLimits(parsed)) {
            LimitDecisionSink sink = new LimitDecisionSink(chosen.writer(parsed, out), data, progress);
            Pipeline<KeyRequest> run =
                    new Pipeline<>(in, out, progress, trace -> new CsvRequestReader(source(), trace));
            run.simulate(redis, new LimitDeciders(parsed), sink);
            if (target != null && data != null) {
                target.write(Plot.svg(data, source()));
            }
        }
    }

    private void simulatePolicies(Path config, OutputBuffer out, ProgressLine progress) throws IOException {
        format("json");
        RedisAddress redis = redis();
        Policies policies = policies(config);
        try (PlotFile target = plot == null ? null : new PlotFile(plot);
                ChartData<PolicyRequest, PolicyDecision> data =
                        target == null ? null : ChartData.ofPolicies(policies)) {
            decide(redis, List.of(policies), new PolicyDecisionSink(out, data, progress), out, progress);
            if (target != null && data != null) {
                target.write(Plot.svg(data, source()));
            }
        }
    }

    private void simulateDiff(Path config, Path other, OutputBuffer out, ProgressLine progress) throws IOException {
        boolean text = format("text", "json").equals("text");
        int keys = top();
        RedisAddress redis = redis();
        List<Policies> both = List.of(policies(config), policies(other));
        PolicyDiff diff = new PolicyDiff(PolicyFiles.name(config), PolicyFiles.name(other));
        Function<PolicyDiff, String> written = it -> text ? DiffText.of(it, keys) : DiffJson.of(it, keys);
        decide(redis, both, new DiffSink(diff, written, out, progress), out, progress);
    }

    private void decide(
            @Nullable RedisAddress redis,
            List<Policies> files,
            DecisionSink<PolicyRequest, PolicyDecision> sink,
            OutputBuffer out,
            ProgressLine progress)
            throws IOException {
        try (InputStream in = open("a file of requests", ", one JSON object per line")) {
            Pipeline<PolicyRequest> run =
                    new Pipeline<>(in, out, progress, requests -> new JsonRequestReader(source(), requests));
            run.simulate(redis, new PolicyDeciders(files), sink);
        }
    }

    /** Connects input, decisions and output. */
    private final class Pipeline<R extends TimedRequest> {
        private final InputStream in;
        private final OutputBuffer out;
        private final ProgressLine progress;
        private final Function<InputStream, RequestReader<R>> reader;

        Pipeline(
                InputStream in,
                OutputBuffer out,
                ProgressLine progress,
                Function<InputStream, RequestReader<R>> reader) {
            this.in = in;
            this.out = out;
            this.progress = progress;
            this.reader = reader;
        }

        <D> void simulate(@Nullable RedisAddress redis, DeciderFactory<R, D> factory, DecisionSink<R, D> sink) {
            try (TraceRunner<R> runner = redis == null
                    ? new MemoryRunner<>(factory, sink)
                    : new RedisRunner<>(redis, factory, sink, stdio.err())) {
                RequestReader<R> requests =
                        reader.apply(new GzipDetectingInputStream(new FlushingInputStream(in, runner, out)));
                try {
                    new Simulation<>(requests, runner, sink).run();
                } finally {
                    progress.clear();
                    out.flush();
                }
            }
        }
    }

    /** The requested format; by default the first of the known formats. */
    private String format(String... known) {
        if (format == null) {
            return known[0];
        }
        if (!List.of(known).contains(format)) {
            throw usageError(
                    "--format " + DisplayText.quoted(format) + " (expected: " + String.join(" or ", known) + ")");
        }
        return format;
    }

    private int top() {
        if (top == null) {
            return 10;
        }
        if (top.matches("[0-9]{1,9}") && Integer.parseInt(top) <= MOST_TOP) {
            return Integer.parseInt(top);
        }
        throw usageError("--top " + DisplayText.quoted(top) + " (expected: a whole number from 0 to " + MOST_TOP + ")");
    }

    /** The address of the Redis; null for the memory store. */
    private @Nullable RedisAddress redis() {
        if (store.equals("memory")) {
            return null;
        } else if (RedisAddress.isRedis(store)) {
            try {
                return RedisAddress.parse(store);
            } catch (IllegalArgumentException e) {
                throw new InvalidInputException("--store " + e.getMessage());
            }
        }
        // A text that may contain a password is not shown.
        String shown = store.contains("@") ? "..." : DisplayText.quoted(store);
        throw usageError("--store " + shown + " (expected: memory, redis://..., rediss://... or redis-sentinel://...)");
    }

    private static Limit limit(String text) {
        try {
            return Simulatable.require(Limit.parse(text));
        } catch (LimitSyntaxException e) {
            throw new InvalidInputException(String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException("--limit: " + e.getMessage());
        }
    }

    private Policies policies(Path file) {
        Policies policies = PolicyFiles.load(file, stdio);
        try {
            return Simulatable.require(policies);
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException(PolicyFiles.name(file) + ": " + e.getMessage());
        }
    }

    private String source() {
        return file == null ? STDIN : file.toString();
    }

    private InputStream open(String kind, String details) {
        return file == null ? stdio.in() : InputFiles.open(file, kind, details);
    }

    private ParameterException usageError(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
