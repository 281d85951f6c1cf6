package io.sluice.cli.validate;

import io.sluice.cli.console.ExitCode;
import io.sluice.cli.console.InvalidInputException;
import io.sluice.cli.console.OutputBuffer;
import io.sluice.cli.console.PolicyFiles;
import io.sluice.cli.console.Stdio;
import io.sluice.cli.console.Version;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyException;
import io.sluice.server.json.DisplayText;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice validate}: prints the errors and warnings of policy files. */
@Command(
        name = "validate",
        description = "Check policy files before you use them.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpAutoWidth = true,
        footer = {
            "",
            "Problems go to standard error, in a form that editors understand:",
            "  policies.yaml:7:12: error: ...",
            "  policies.yaml:9:5: warning: ...",
            "Standard output has one line for each file or directory that could be read.",
            "",
            "Exit code: 0 if there are no problems, 1 if there are only warnings, 2 if there",
            "are errors.",
            "",
            "Example: sluice validate policies.yaml",
            "         sluice validate --envoy-config ratelimit/config"
        })
public final class ValidateCommand implements Callable<Integer> {
    private static final int OK = 0;
    private static final int WARNINGS = 1;

    private final Stdio stdio;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", arity = "0..*", description = "Policy file to check; - is standard input.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--envoy-config",
            paramLabel = "DIR",
            description = "Directory of envoyproxy/ratelimit files to check; may be repeated.")
    private List<Path> envoyConfigs = new ArrayList<>();

    public ValidateCommand(Stdio stdio) {
        this.stdio = stdio;
    }

    @Override
    public Integer call() {
        if (files.isEmpty() && envoyConfigs.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "missing FILE or --envoy-config DIR (expected: policies to check)");
        }
        OutputBuffer out = new OutputBuffer(stdio.out());
        int worst = OK;
        for (Path file : files) {
            worst = Math.max(worst, check(PolicyFiles.name(file), () -> PolicyFiles.load(file, stdio.in()), out));
        }
        for (Path directory : envoyConfigs) {
            worst = Math.max(
                    worst,
                    check(
                            directory.toString(),
                            () -> PolicyFiles.loadEnvoy(directory).policies(),
                            out));
        }
        return worst;
    }

    private int check(String source, Supplier<Policies> read, OutputBuffer out) {
        try {
            Policies policies = read.get();
            int warnings = policies.warnings().size();
            PolicyFiles.print(stdio.err(), policies.warnings());
            String found = count(policies.policies().size(), "policy", "policies");
            String noted = warnings == 0 ? "" : ", " + count(warnings, "warning", "warnings");
            printLine(out, source + ": ok, " + found + noted);
            return warnings == 0 ? OK : WARNINGS;
        } catch (PolicyException e) {
            PolicyFiles.print(stdio.err(), e.problems());
            printLine(out, source + ": refused, " + count(e.problems().size(), "error", "errors"));
        } catch (InvalidInputException e) {
            stdio.err().println(DisplayText.onOneLine(String.valueOf(e.getMessage())));
        } finally {
            out.flush();
        }
        return ExitCode.INVALID_INPUT;
    }

    private static void printLine(OutputBuffer out, String line) {
        out.put((DisplayText.onOneLine(line) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static String count(int number, String one, String many) {
        return number + " " + (number == 1 ? one : many);
    }
}
