package io.sluice.cli.validate;

import io.sluice.cli.console.ExitCode;
import io.sluice.cli.console.InvalidInputException;
import io.sluice.cli.console.OutputBuffer;
import io.sluice.cli.console.PolicyFiles;
import io.sluice.cli.console.Stdio;
import io.sluice.cli.console.Version;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyException;
import io.sluice.server.json.Shown;
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

/** {@code sluice validate}: whether files of policies can be used, and what in them is suspicious. */
@Command(
        name = "validate",
        description = "Check files of policies before they are used.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpAutoWidth = true,
        footer = {
            "",
            "Problems go to standard error, in the form that editors can jump to:",
            "  policies.yaml:7:12: error: ...",
            "  policies.yaml:9:5: warning: ...",
            "Standard output gets one line for each file or directory that could be read.",
            "",
            "Exit code: 0 if all is well, 1 if there are only warnings, 2 for errors.",
            "",
            "Example: sluice validate policies.yaml",
            "         sluice validate --envoy-config ratelimit/config"
        })
public final class ValidateCommand implements Callable<Integer> {
    private static final int FINE = 0;
    private static final int SUSPICIOUS = 1;

    private final Stdio stdio;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", arity = "0..*", description = "What to check; - is standard input.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--envoy-config",
            paramLabel = "DIR",
            description = "A directory of envoyproxy/ratelimit files to check; may be given several times.")
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
        int worst = FINE;
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
            PolicyFiles.tell(stdio.err(), policies.warnings());
            String kept = count(policies.policies().size(), "policy", "policies");
            String noted = warnings == 0 ? "" : ", " + count(warnings, "warning", "warnings");
            say(out, source + ": ok, " + kept + noted);
            return warnings == 0 ? FINE : SUSPICIOUS;
        } catch (PolicyException e) {
            PolicyFiles.tell(stdio.err(), e.problems());
            say(out, source + ": refused, " + count(e.problems().size(), "error", "errors"));
        } catch (InvalidInputException e) {
            stdio.err().println(Shown.onOneLine(String.valueOf(e.getMessage())));
        } finally {
            out.flush();
        }
        return ExitCode.INVALID_INPUT;
    }

    private static void say(OutputBuffer out, String line) {
        out.put((Shown.onOneLine(line) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static String count(int number, String one, String many) {
        return number + " " + (number == 1 ? one : many);
    }
}
