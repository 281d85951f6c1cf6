package io.sluice.cli.simulate;

import io.sluice.Limit;
import io.sluice.LimitSyntaxException;
import io.sluice.cli.console.InputFiles;
import io.sluice.cli.console.InvalidInputException;
import io.sluice.cli.console.OutputBuffer;
import io.sluice.cli.console.PolicyFiles;
import io.sluice.cli.console.Stdio;
import io.sluice.cli.console.Version;
import io.sluice.cli.simulate.decide.DeciderFactory;
import io.sluice.cli.simulate.decide.DecisionSink;
import io.sluice.cli.simulate.decide.FlushingInputStream;
import io.sluice.cli.simulate.decide.LimitDeciders;
import io.sluice.cli.simulate.decide.MemoryRunner;
import io.sluice.cli.simulate.decide.PolicyDeciders;
import io.sluice.cli.simulate.decide.Simulation;
import io.sluice.cli.simulate.decide.TraceRunner;
import io.sluice.cli.simulate.plot.Plot;
import io.sluice.cli.simulate.plot.PlotData;
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
import io.sluice.cli.simulate.trace.CsvRequestReader;
import io.sluice.cli.simulate.trace.GzipDetectingInputStream;
import io.sluice.cli.simulate.trace.JsonRequestReader;
import io.sluice.cli.simulate.trace.KeyRequest;
import io.sluice.cli.simulate.trace.PolicyRequest;
import io.sluice.cli.simulate.trace.RequestReader;
import io.sluice.cli.simulate.trace.TimedRequest;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyDecision;
import io.sluice.server.RedisAddress;
import io.sluice.server.json.Shown;
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

/** {@code sluice simulate}: what limits or policies would have said to recorded traffic. */
@Command(
        name = "simulate",
        description = "Decide a recorded trace: what would limits or policies have said?",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpAutoWidth = true,
        sortOptions = false,
        footer = {
            "",
            "With --limit, the trace is CSV with the header time_us,key,permits.",
            "With --config, it is one JSON object a line; permits may be left out:",
            "  {\"time_us\":0,\"attributes\":{\"tenant\":\"acme\"},\"permits\":1}",
            "Times are microseconds and never fall. Either trace may come as gzip.",
            "",
            "A limit is [ALGORITHM] N/UNIT or N per DURATION, then options:",
            "  token-bucket 10/s burst 20         the default; also refill interval",
            "  leaky-bucket 10/s capacity 20",
            "  fixed-window 100 per 1m            also from-first",
            "  sliding-log 5 per 1m lockout 5m    lockout goes with any",
            "  sliding-counter 1000 per 1h slots 60",
            "or unlimited, or blocked.",
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
                    "A limit such as 600/min. Given several times, each limit decides every row by itself, and the"
                            + " rows say which in a first column.")
    private List<String> limits = new ArrayList<>();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Policies, in YAML, that decide instead of a limit; - is standard input.")
    private @Nullable Path config;

    @Option(
            names = "--diff",
            paramLabel = "OTHER",
            description = "Other policies: print what they would change for these requests, not the decisions.")
    private @Nullable Path other;

    @Option(names = "--top", paramLabel = "N", description = "How many keys a diff lists; default 10.")
    private @Nullable String top;

    @Option(
            names = "--format",
            paramLabel = "csv|json|text",
            description = "How the output is written: csv (default) or json with --limit, json with --config, text"
                    + " (default) or json with --diff.")
    private @Nullable String format;

    @Option(
            names = "--store",
            paramLabel = "memory|URI",
            description =
                    "Where state is kept; default memory. In a Redis with a URI such as redis://host:6379, rediss://host"
                            + " for TLS, or redis-sentinel://host#master; what is written there is deleted at the end.")
    private String store = "memory";

    @Option(names = "--plot", paramLabel = "FILE.svg", description = "Also draw what happened; with --limit only.")
    private @Nullable Path plot;

    @Parameters(paramLabel = "FILE", arity = "0..1", description = "The trace; standard input if absent or -.")
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
        ProgressLine progress = new ProgressLine(stdio.err(), stdio.watched(), System::nanoTime);
        if (config == null) {
            byLimits(out, progress);
        } else if (other == null) {
            byPolicies(config, out, progress);
        } else {
            compare(config, other, out, progress);
        }
        return 0;
    }

    private void requireOneKind() {
        if (config == null && limits.isEmpty()) {
            throw misuse("missing --limit TEXT or --config FILE (expected: a limit such as 600/min, or policies)");
        } else if (config != null && !limits.isEmpty()) {
            throw misuse("--limit and --config (expected: one of them)");
        } else if (config != null && plot != null) {
            throw misuse("--plot and --config (expected: --plot with --limit)");
        } else if (config == null && other != null) {
            throw misuse("--diff without --config (expected: the policies to compare with)");
        } else if (other == null && top != null) {
            throw misuse("--top without --diff (expected: --diff, whose keys it counts)");
        }
    }

    /** Standard input ends once, so it can be one thing. */
    private void requireOneFromStdin() {
        boolean policies = PolicyFiles.isStdin(config);
        boolean others = PolicyFiles.isStdin(other);
        if (policies && others) {
            throw misuse("--config - and --diff - (expected: one of them from a file)");
        } else if ((policies || others) && file == null) {
            String option = policies ? "--config" : "--diff";
            throw misuse(option + " - without FILE (expected: a file of requests, as standard input has the policies)");
        }
    }

    private void byLimits(OutputBuffer out, ProgressLine progress) throws IOException {
        Format chosen = format("csv", "json").equals("csv") ? Format.CSV : Format.JSON;
        RedisAddress redis = redis();
        List<Limit> parsed = limits.stream().map(SimulateCommand::limit).toList();
        try (InputStream in = open("a CSV file", " with the header " + CsvRequestReader.HEADER);
                PlotFile target = plot == null ? null : new PlotFile(plot)) {
            PlotData data = target == null ? null : new PlotData(parsed);
            LimitDecisionSink results = new LimitDecisionSink(chosen.writer(parsed, out), data, progress);
            Run<KeyRequest> run = new Run<>(in, out, progress, trace -> new CsvRequestReader(source(), trace));
            run.simulate(redis, new LimitDeciders(parsed), results);
            if (target != null && data != null) {
                target.write(Plot.svg(data, source()));
            }
        }
    }

    private void byPolicies(Path config, OutputBuffer out, ProgressLine progress) throws IOException {
        format("json");
        RedisAddress redis = redis();
        Policies policies = PolicyFiles.load(config, stdio);
        decide(redis, List.of(policies), new PolicyDecisionSink(out, progress), out, progress);
    }

    private void compare(Path config, Path other, OutputBuffer out, ProgressLine progress) throws IOException {
        boolean text = format("text", "json").equals("text");
        int keys = top();
        RedisAddress redis = redis();
        List<Policies> both = List.of(PolicyFiles.load(config, stdio), PolicyFiles.load(other, stdio));
        PolicyDiff diff = new PolicyDiff(PolicyFiles.name(config), PolicyFiles.name(other));
        Function<PolicyDiff, String> written = it -> text ? DiffText.of(it, keys) : DiffJson.of(it, keys);
        decide(redis, both, new DiffSink(diff, written, out, progress), out, progress);
    }

    private void decide(
            @Nullable RedisAddress redis,
            List<Policies> files,
            DecisionSink<PolicyRequest, PolicyDecision> results,
            OutputBuffer out,
            ProgressLine progress)
            throws IOException {
        try (InputStream in = open("a file of requests", ", one JSON object a line")) {
            Run<PolicyRequest> run =
                    new Run<>(in, out, progress, requests -> new JsonRequestReader(source(), requests));
            run.simulate(redis, new PolicyDeciders(files), results);
        }
    }

    /** The way from the input to the output. */
    private final class Run<R extends TimedRequest> {
        private final InputStream in;
        private final OutputBuffer out;
        private final ProgressLine progress;
        private final Function<InputStream, RequestReader<R>> reader;

        Run(InputStream in, OutputBuffer out, ProgressLine progress, Function<InputStream, RequestReader<R>> reader) {
            this.in = in;
            this.out = out;
            this.progress = progress;
            this.reader = reader;
        }

        <D> void simulate(@Nullable RedisAddress redis, DeciderFactory<R, D> candidates, DecisionSink<R, D> results) {
            try (TraceRunner<R> decider = redis == null
                    ? new MemoryRunner<>(candidates, results)
                    : new RedisRunner<>(redis, candidates, results, stdio.err())) {
                RequestReader<R> rows =
                        reader.apply(new GzipDetectingInputStream(new FlushingInputStream(in, decider, out)));
                try {
                    new Simulation<>(rows, decider, results).run();
                } finally {
                    progress.clear();
                    out.flush();
                }
            }
        }
    }

    /** The format that was asked for, or else the first of those that there are. */
    private String format(String... known) {
        if (format == null) {
            return known[0];
        }
        if (!List.of(known).contains(format)) {
            throw misuse("--format " + Shown.quoted(format) + " (expected: " + String.join(" or ", known) + ")");
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
        throw misuse("--top " + Shown.quoted(top) + " (expected: a whole number from 0 to " + MOST_TOP + ")");
    }

    /** Null if the state stays in memory. */
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
        // What may hold a password is not shown.
        String shown = store.contains("@") ? "..." : Shown.quoted(store);
        throw misuse("--store " + shown + " (expected: memory, redis://..., rediss://... or redis-sentinel://...)");
    }

    private static Limit limit(String text) {
        try {
            return Limit.parse(text);
        } catch (LimitSyntaxException e) {
            throw new InvalidInputException(String.valueOf(e.getMessage()));
        }
    }

    private String source() {
        return file == null ? STDIN : file.toString();
    }

    private InputStream open(String kind, String details) {
        return file == null ? stdio.in() : InputFiles.open(file, kind, details);
    }

    private ParameterException misuse(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
