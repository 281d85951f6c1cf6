package io.sluice.cli.explain;

import io.sluice.cli.console.OutputBuffer;
import io.sluice.cli.console.PolicyFiles;
import io.sluice.cli.console.Stdio;
import io.sluice.cli.console.Version;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.explain.Explanation;
import io.sluice.server.json.DisplayText;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice explain}: prints which policies apply to a request, and why the others do not. */
@Command(
        name = "explain",
        description = "Explain which policies apply to a request, and why the others do not.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpAutoWidth = true,
        sortOptions = false,
        footer = {
            "",
            "The command reads only the policy file. It decides as if every key were new.",
            "",
            "Example: sluice explain --config policies.yaml tenant=acme path=/api/orders"
        })
public final class ExplainCommand implements Callable<Integer> {
    private static final long MOST = (1L << 53) - 1;

    private final Stdio stdio;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(names = "--config", paramLabel = "FILE", description = "Policy file, in YAML; - is standard input.")
    private @Nullable Path config;

    @Option(names = "--permits", paramLabel = "N", description = "Permits that the request asks for. Default: 1.")
    private String permits = "1";

    @Option(names = "--json", description = "Print one JSON object instead of text.")
    private boolean json;

    @Parameters(paramLabel = "ATTRIBUTE=VALUE", description = "Attribute of the request, such as tenant=acme.")
    private List<String> arguments = new ArrayList<>();

    public ExplainCommand(Stdio stdio) {
        this.stdio = stdio;
    }

    @Override
    public Integer call() {
        if (config == null) {
            throw usageError("missing --config FILE (expected: a policy file)");
        }
        Map<String, String> attributes = attributes();
        long count = permits();
        Policies policies = PolicyFiles.load(config, stdio);
        try (PolicyEngine engine = PolicyEngine.builder()
                .policies(new Policies(policies.policies(), List.of(), List.of()))
                .build()) {
            Explanation explanation = engine.explain(attributes, count);
            String text;
            if (json) {
                text = explanation.toJson(attributes, count) + "\n";
            } else {
                explanation.unused(attributes).forEach(this::note);
                text = explanation.toString();
            }
            OutputBuffer out = new OutputBuffer(stdio.out());
            out.put(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
        return 0;
    }

    /** Notes an attribute that no policy uses: it may be a typing error. */
    private void note(String attribute) {
        stdio.err()
                .println(DisplayText.onOneLine(
                        "sluice explain: note: no policy uses the attribute " + DisplayText.quoted(attribute)));
    }

    private Map<String, String> attributes() {
        Map<String, String> attributes = new LinkedHashMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            if (equals <= 0) {
                throw usageError((equals == 0 ? "no name before = in " : "no = in ") + DisplayText.quoted(argument)
                        + " (expected: attribute=value, as in tenant=acme)");
            }
            String name = argument.substring(0, equals);
            if (attributes.putIfAbsent(name, argument.substring(equals + 1)) != null) {
                throw usageError("attribute " + DisplayText.quoted(name) + " is given twice (expected: once)");
            }
        }
        return attributes;
    }

    private long permits() {
        if (permits.matches("[0-9]{1,18}") && Long.parseLong(permits) <= MOST) {
            return Long.parseLong(permits);
        }
        throw usageError(
                "--permits " + DisplayText.quoted(permits) + " (expected: a whole number from 0 to " + MOST + ")");
    }

    private ParameterException usageError(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
