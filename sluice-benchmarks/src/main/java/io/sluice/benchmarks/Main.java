package io.sluice.benchmarks;

import io.sluice.benchmarks.redis.RedisCommand;
import io.sluice.benchmarks.server.ServerCommand;
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

/** The benchmarks' command line: {@code bench local|redis|server}. Exit codes: 0 done, 1 something failed, 2 cannot be used. */
@Command(
        name = "sluice bench",
        description = "Measures Sluice beside others.",
        synopsisSubcommandLabel = "local|redis|server")
public final class Main implements Runnable {
    public static final int FAILED = 1;
    private static final int REFUSED = 2;

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
        // Standard output is the table's alone: whatever JMH or a library prints goes elsewhere.
        System.setOut(System.err);
        System.exit(run(out, args));
    }

    /** Runs the command; the table goes to {@code out}. */
    static int run(PrintStream out, String... args) {
        return new CommandLine(new Main())
                .addSubcommand("local", new LocalCommand(out))
                .addSubcommand("redis", new RedisCommand(out))
                .addSubcommand("server", new ServerCommand(out))
                .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler((e, unused) -> misused(e))
                .setExecutionExceptionHandler((e, command, unused) -> failed(command, e))
                .execute(args);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "missing what to measure (expected: local, redis or server)");
    }

    private static int misused(ParameterException e) {
        String name = e.getCommandLine().getCommandSpec().qualifiedName();
        System.err.println(name + ": " + e.getMessage());
        System.err.println("try: " + name + " --help");
        return REFUSED;
    }

    private static int failed(CommandLine command, Exception e) {
        if (System.getenv("SLUICE_DEBUG") != null) {
            e.printStackTrace();
        }
        System.err.println(command.getCommandSpec().qualifiedName() + ": " + e.getMessage());
        return FAILED;
    }
}
