package io.sluice.benchmarks;

import io.sluice.benchmarks.adaptive.AdaptiveCommand;
import io.sluice.benchmarks.common.ExitCode;
import io.sluice.benchmarks.local.LocalCommand;
import io.sluice.benchmarks.redis.RedisCommand;
import io.sluice.benchmarks.server.ServerCommand;
import io.sluice.benchmarks.spring.SpringCommand;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line of the benchmarks: {@code bench local|redis|server|spring|adaptive}. */
@Command(
        name = "sluice bench",
        description = "Compare the speed of Sluice with other libraries and servers.",
        synopsisSubcommandLabel = "local|redis|server|spring|adaptive")
public final class Main implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help and exit.")
    @SuppressWarnings("unused") // picocli acts on it
    private boolean help;

    private Main() {}

    public static void main(String... args) {
        PrintStream out = System.out;
        // Standard output has only the table. Whatever JMH or a library prints goes to standard error.
        System.setOut(System.err);
        System.exit(run(out, args));
    }

    /** Runs the command; the table goes to {@code out}. */
    static int run(PrintStream out, String... args) {
        return new CommandLine(new Main())
                .addSubcommand("local", new LocalCommand(out))
                .addSubcommand("redis", new RedisCommand(out))
                .addSubcommand("server", new ServerCommand(out))
                .addSubcommand("spring", new SpringCommand(out))
                .addSubcommand("adaptive", new AdaptiveCommand(out))
                .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler((e, unused) -> reportUsageError(e))
                .setExecutionExceptionHandler((e, command, unused) -> failed(command, e))
                .execute(args);
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "missing benchmark (expected: local, redis, server, spring or adaptive)");
    }

    private static int reportUsageError(ParameterException e) {
        String name = e.getCommandLine().getCommandSpec().qualifiedName();
        System.err.println(name + ": " + problem(e));
        System.err.println("try: " + name + " --help");
        return ExitCode.INVALID_INPUT;
    }

    private static String problem(ParameterException e) {
        boolean isBenchmark = e.getCommandLine().getSubcommands().isEmpty();
        if (!isBenchmark && e instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
            return "unknown benchmark \"" + unmatched.getUnmatched().get(0)
                    + "\" (expected: local, redis, server, spring or adaptive)";
        }
        return String.valueOf(e.getMessage());
    }

    private static int failed(CommandLine command, Exception e) {
        if (System.getenv("SLUICE_DEBUG") != null) {
            e.printStackTrace();
        }
        System.err.println(command.getCommandSpec().qualifiedName() + ": " + e.getMessage());
        return ExitCode.FAILED;
    }
}
