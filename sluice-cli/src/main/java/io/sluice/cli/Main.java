package io.sluice.cli;

import io.sluice.cli.console.DebugMode;
import io.sluice.cli.console.ExitCode;
import io.sluice.cli.console.InvalidInputException;
import io.sluice.cli.console.OutputException;
import io.sluice.cli.console.PolicyFiles;
import io.sluice.cli.console.RunFailedException;
import io.sluice.cli.console.Stdio;
import io.sluice.cli.console.Version;
import io.sluice.cli.explain.ExplainCommand;
import io.sluice.cli.image.ImageCommand;
import io.sluice.cli.serve.ServeCommand;
import io.sluice.cli.simulate.SimulateCommand;
import io.sluice.cli.validate.ValidateCommand;
import io.sluice.policy.PolicyException;
import io.sluice.policy.Suggestion;
import io.sluice.server.json.DisplayText;
import io.sluice.server.simulate.trace.InvalidTraceException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The {@code sluice} command: registers the subcommands, and turns their errors into messages and {@linkplain ExitCode exit
 * codes}.
 */
@Command(
        name = "sluice",
        description =
                "Rate limiting: run the service, check policies, simulate recorded traffic, build an image, run benchmarks.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        usageHelpAutoWidth = true,
        footer = {"", "Help on a command: sluice COMMAND --help"})
public final class Main implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    private Main() {}

    public static void main(String... args) {
        System.exit(run(Stdio.ofProcess(), args));
    }

    public static int run(Stdio stdio, String... args) {
        try {
            return commandLine(stdio).execute(args);
        } catch (Throwable e) {
            return failed(stdio.err(), "sluice", e);
        }
    }

    private static CommandLine commandLine(Stdio stdio) {
        return new CommandLine(new Main())
                .addSubcommand(ServeCommand.commandLine(stdio, System.getenv()))
                .addSubcommand(new SimulateCommand(stdio))
                .addSubcommand(new ValidateCommand(stdio))
                .addSubcommand(new ExplainCommand(stdio))
                .addSubcommand(new ImageCommand(stdio))
                .addSubcommand(new BenchCommand())
                .setOut(new PrintWriter(stdio.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(stdio.err(), true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler((e, args) -> reportUsageError(stdio.err(), e))
                .setExecutionExceptionHandler((e, command, parsed) ->
                        failed(stdio.err(), command.getCommandSpec().qualifiedName(), e));
    }

    /** Reports that the command is missing. */
    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "missing command (expected: one of "
                        + String.join(", ", spec.subcommands().keySet()) + ")");
    }

    private static int reportUsageError(PrintStream err, ParameterException e) {
        String name = e.getCommandLine().getCommandSpec().qualifiedName();
        err.println(DisplayText.onOneLine(name + ": " + problem(e)));
        err.println("try: " + name + " --help");
        return ExitCode.INVALID_INPUT;
    }

    private static String problem(ParameterException e) {
        if (e instanceof UnmatchedArgumentException unmatched) {
            String argument = unmatched.getUnmatched().get(0);
            if (unmatched.isUnknownOption()) {
                return unknownOption(argument, unmatched.getCommandLine().getCommandSpec());
            }
            Set<String> commands =
                    unmatched.getCommandLine().getCommandSpec().subcommands().keySet();
            if (!commands.isEmpty()) {
                @Nullable String near = Suggestion.nearest(argument, commands);
                return "unknown command " + DisplayText.quoted(argument) + " ("
                        + (near == null
                                ? "expected: one of " + String.join(", ", commands)
                                : "did you mean: " + near + "?")
                        + ")";
            }
            return "unexpected argument " + DisplayText.quoted(argument) + " (a text of several words needs quotes)";
        }
        String message = String.valueOf(e.getMessage());
        return message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
    }

    private static String unknownOption(String argument, CommandSpec command) {
        int end = argument.indexOf('=');
        String option = end < 0 ? argument : argument.substring(0, end);
        @Nullable String near = Suggestion.nearest(option, command.optionsMap().keySet());
        return "unknown option " + option + (near == null ? "" : " (did you mean: " + near + "?)");
    }

    private static int failed(PrintStream err, String name, Throwable e) {
        if (e instanceof OutputException failure && failure.isBrokenPipe()) {
            return ExitCode.BROKEN_PIPE;
        }
        if (DebugMode.isOn()) {
            e.printStackTrace(err);
        }
        if (e instanceof PolicyException refused) {
            PolicyFiles.print(err, refused.problems());
            return ExitCode.INVALID_INPUT;
        }
        boolean invalid = e instanceof InvalidInputException || e instanceof InvalidTraceException;
        if (invalid || e instanceof OutputException || e instanceof RunFailedException) {
            err.println(DisplayText.onOneLine(name + ": " + e.getMessage()));
            return invalid ? ExitCode.INVALID_INPUT : ExitCode.FAILED;
        }
        err.println(DisplayText.onOneLine(name + ": internal error: " + e + " (SLUICE_DEBUG=1 shows where)"));
        return ExitCode.FAILED;
    }
}
