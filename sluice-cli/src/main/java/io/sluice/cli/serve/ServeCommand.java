package io.sluice.cli.serve;

import io.sluice.cli.console.InvalidInputException;
import io.sluice.cli.console.OutputException;
import io.sluice.cli.console.PolicyFiles;
import io.sluice.cli.console.RunFailedException;
import io.sluice.cli.console.Stdio;
import io.sluice.cli.console.Version;
import io.sluice.server.ServerConfig;
import io.sluice.server.SettingException;
import io.sluice.server.SluiceServer;
import io.sluice.server.StartException;
import io.sluice.server.json.DisplayText;
import io.sluice.server.logging.Logging;
import io.sluice.server.settings.Setting;
import io.sluice.server.settings.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code sluice serve}: starts the service. */
@Command(
        name = "serve",
        description = "Run the rate limit service for gateways and other languages: HTTP, Envoy RLS, RESP.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpAutoWidth = true,
        sortOptions = false,
        customSynopsis = "sluice serve [--config FILE | --envoy-config DIR] [--redis URI] [...]",
        optionListHeading = "%nCommand:%n",
        footer = {
            "",
            "TIME is a duration such as 500ms, 10s or 5m.",
            "",
            "Every setting can also be an environment variable (SLUICE_RESP_PORT for",
            "--resp-port) or a line in the settings file (resp-port: 6380). A flag",
            "overrides a variable, and a variable overrides the file. Secrets have no",
            "flag. Give them in a file or in a variable: SLUICE_ADMIN_TOKEN,",
            "SLUICE_RESP_PASSWORD.",
            "",
            "Examples:",
            "  Try it, in memory, with a sample policy, on loopback:",
            "    sluice serve",
            "  One of several replicas:",
            "    sluice serve --host 0.0.0.0 --config policies.yaml \\",
            "      --redis redis://redis.internal --admin-token-file token",
            "  Write a settings file, and use it:",
            "    sluice serve --port 9090 --print-config > sluice.yaml",
            "    sluice serve --settings sluice.yaml",
            "",
            "SIGTERM or SIGINT stops the server after all requests in flight are answered.",
            "A second signal stops it at once. Exit code: 0 if it was stopped by a signal,",
            "1 if it cannot start or run, 2 if a setting or a policy file is invalid."
        })
public final class ServeCommand implements Callable<Integer> {
    private final Stdio stdio;
    private final Map<String, String> variables;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(names = "--settings", paramLabel = "FILE", description = "Settings file, in YAML.")
    private @Nullable Path file;

    @Option(
            names = "--print-config",
            description = "Print all settings and their origins as a settings file, then exit.")
    private boolean printConfig;

    private ServeCommand(Stdio stdio, Map<String, String> variables) {
        this.stdio = stdio;
        this.variables = variables;
    }

    /** Creates the command, with a flag for every setting that may have one. */
    public static CommandLine commandLine(Stdio stdio, Map<String, String> variables) {
        CommandLine line = new CommandLine(new ServeCommand(stdio, variables));
        SettingFlags.addTo(line.getCommandSpec());
        return line;
    }

    @Override
    public Integer call() throws InterruptedException {
        try {
            return run();
        } catch (SettingException e) {
            throw new InvalidInputException(String.valueOf(e.getMessage()));
        } catch (StartException e) {
            throw new RunFailedException(String.valueOf(e.getMessage()));
        } catch (UncheckedIOException e) {
            throw new InvalidInputException("cannot be read: " + e.getCause());
        }
    }

    private int run() throws InterruptedException {
        Settings settings = Settings.read(flags(), file, variables);
        settings.warnings().forEach(warning -> stdio.err().println(DisplayText.onOneLine("sluice serve: " + warning)));
        ServerConfig config = settings.config();
        if (printConfig) {
            print(settings.print());
            return 0;
        }
        Path policies = config.policies();
        if (policies != null) {
            PolicyFiles.print(stdio.err(), PolicyFiles.load(policies).warnings());
        }
        Logging.to(stdio.err(), settings.logsJson());
        GeneratedAdminToken token = GeneratedAdminToken.ifNeeded(config);
        // Before the start: it may be told to stop as soon as it is ready, or even before.
        StopSignals signals = StopSignals.listen();
        SluiceServer server = SluiceServer.start(token.config());
        // Closes the server if anything else ends the process.
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "sluice-stop"));
        print(Banner.of(server, token));
        signals.await();
        server.close();
        return 0;
    }

    private Map<Setting, String> flags() {
        ParseResult parsed = spec.commandLine().getParseResult();
        Map<Setting, String> flags = new EnumMap<>(Setting.class);
        for (Setting setting : Setting.values()) {
            setting.flag()
                    .filter(parsed::hasMatchedOption)
                    .ifPresent(flag -> flags.put(setting, parsed.matchedOptionValue(flag, "")));
        }
        return flags;
    }

    private void print(String text) {
        try {
            stdio.out().write(text.getBytes(StandardCharsets.UTF_8));
            stdio.out().flush();
        } catch (IOException e) {
            throw new OutputException(e);
        }
    }
}
