package io.sluice.cli;

import io.sluice.Limit;
import io.sluice.LimitSyntaxException;
import io.sluice.cli.DecisionWriter.Format;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice simulate}: what limits would have said to recorded traffic. */
@Command(
        name = "simulate",
        description = "Decide a recorded trace: what would a limit have said to each request?",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        usageHelpAutoWidth = true,
        sortOptions = false,
        footer = {
            "",
            "The trace is CSV with the header time_us,key,permits and times (microseconds) that never fall.",
            "",
            "Limits: [ALGORITHM] N/UNIT or N per DURATION, then options; or unlimited, or blocked.",
            "  token-bucket 10/s burst 20          (the default algorithm; refill greedy|interval)",
            "  leaky-bucket 10/s capacity 20",
            "  fixed-window 100 per 1m             (from-first)",
            "  sliding-log 5 per 1m lockout 5m     (lockout goes with any)",
            "  sliding-counter 1000 per 1h slots 60",
            "",
            "Example: sluice simulate --limit \"10/s burst 20\" --plot plot.svg trace.csv > decisions.csv"
        })
final class SimulateCommand implements Callable<Integer> {
    private static final String STDIN = "stdin";

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

    @Option(names = "--format", paramLabel = "csv|json", description = "How decisions are written; default csv.")
    private String format = "csv";

    @Option(
            names = "--store",
            paramLabel = "memory|URI",
            description =
                    "Where state is kept; default memory. In a Redis with a URI such as redis://host:6379, rediss://host"
                            + " for TLS, or redis-sentinel://host#master; what is written there is deleted at the end.")
    private String store = "memory";

    @Option(names = "--plot", paramLabel = "FILE.svg", description = "Also draw what happened.")
    private @Nullable Path plot;

    @Parameters(paramLabel = "FILE", arity = "0..1", description = "The trace; standard input if absent or -.")
    private @Nullable Path file;

    SimulateCommand(Stdio stdio) {
        this.stdio = stdio;
    }

    @Override
    public Integer call() throws IOException {
        if (limits.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "missing --limit TEXT (expected: a limit such as 600/min)");
        }
        if (file != null && file.toString().equals("-")) {
            file = null;
        }
        Format chosen = format();
        RedisAddress redis = redis();
        List<Limit> parsed = limits.stream().map(SimulateCommand::limit).toList();
        try (InputStream in = open();
                PlotFile target = plot == null ? null : new PlotFile(plot)) {
            PlotData data = target == null ? null : new PlotData(parsed);
            simulate(parsed, chosen, redis, in, data);
            if (target != null && data != null) {
                target.write(Plot.svg(data, source()));
            }
        }
        return 0;
    }

    private void simulate(
            List<Limit> parsed, Format chosen, @Nullable RedisAddress redis, InputStream in, @Nullable PlotData data) {
        OutputBuffer out = new OutputBuffer(stdio.out());
        Progress progress = new Progress(stdio.err(), stdio.watched(), System::nanoTime);
        Results results = new Results(chosen.writer(parsed, out), data, progress);
        try (Decider decider = redis == null
                ? new MemoryDecider(parsed, results)
                : new RedisDecider(redis, parsed, results, stdio.err())) {
            TraceReader trace = new TraceReader(source(), new SettlingFirst(in, decider, out));
            try {
                new Simulation(trace, decider, results).run();
            } finally {
                progress.clear();
                out.flush();
            }
        }
    }

    private Format format() {
        return switch (format) {
            case "csv" -> Format.CSV;
            case "json" -> Format.JSON;
            default ->
                throw new ParameterException(
                        spec.commandLine(), "--format " + Shown.quoted(format) + " (expected: csv or json)");
        };
    }

    /** Null if the state stays in memory. */
    private @Nullable RedisAddress redis() {
        if (store.equals("memory")) {
            return null;
        } else if (RedisAddress.isOne(store)) {
            return RedisAddress.of(store);
        }
        // What may hold a password is not shown.
        String shown = store.contains("@") ? "..." : Shown.quoted(store);
        throw new ParameterException(
                spec.commandLine(),
                "--store " + shown + " (expected: memory, redis://..., rediss://... or redis-sentinel://...)");
    }

    private static Limit limit(String text) {
        try {
            return Limit.parse(text);
        } catch (LimitSyntaxException e) {
            throw new Refusal(String.valueOf(e.getMessage()));
        }
    }

    private String source() {
        return file == null ? STDIN : file.toString();
    }

    private InputStream open() {
        if (file == null) {
            return stdio.in();
        }
        try {
            if (Files.isDirectory(file)) {
                throw new Refusal(file + ": is a directory (expected: a CSV file)");
            }
            return Files.newInputStream(file);
        } catch (NoSuchFileException e) {
            throw new Refusal(
                    file + ": no such file (expected: a CSV file with the header " + TraceReader.HEADER + ")");
        } catch (AccessDeniedException e) {
            throw new Refusal(file + ": permission denied (expected: a file that can be read)");
        } catch (IOException e) {
            throw new Refusal(file + ": cannot be read: " + e.getMessage());
        }
    }

    /** Before more input is awaited, all decisions so far go out: so the command also works at the end of a live pipe. */
    private static final class SettlingFirst extends FilterInputStream {
        private final Decider decider;
        private final OutputBuffer out;

        SettlingFirst(InputStream in, Decider decider, OutputBuffer out) {
            super(in);
            this.decider = decider;
            this.out = out;
        }

        @Override
        public int read(byte[] bytes, int from, int count) throws IOException {
            if (mayWait()) {
                decider.settle();
                out.flush();
            }
            return super.read(bytes, from, count);
        }

        private boolean mayWait() {
            try {
                return in.available() == 0;
            } catch (IOException e) {
                // A pipe that was opened as a file does not know.
                return true;
            }
        }
    }
}
