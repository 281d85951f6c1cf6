package io.sluice.policy;

import io.sluice.policy.reader.PolicyFileReader;
import io.sluice.policy.yaml.Problems;
import io.sluice.policy.yaml.YamlText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The content of a policy file.
 *
 * <pre>{@code
 * Policies policies = Policies.load(Path.of("policies.yaml"));
 * }</pre>
 *
 * @param policies the policies, in the order of the file
 * @param alerts the alerts, in the order of the file
 * @param warnings warnings of policies that are valid but probably wrong, in the order of the file
 * @param text the YAML text; empty if the policies were not read from YAML
 */
public record Policies(List<Policy> policies, List<Alert> alerts, List<Problem> warnings, String text) {
    public Policies {
        Objects.requireNonNull(text, "text");
        policies = List.copyOf(policies);
        alerts = List.copyOf(alerts);
        warnings = List.copyOf(warnings);
        Set<String> names = new HashSet<>();
        for (Policy policy : policies) {
            if (!names.add(policy.name())) {
                throw new IllegalArgumentException(
                        "policy \"" + policy.name() + "\" a second time (expected: every name once)");
            }
        }
    }

    /** Policies that were not read from YAML. */
    public Policies(List<Policy> policies, List<Alert> alerts, List<Problem> warnings) {
        this(policies, alerts, warnings, "");
    }

    /**
     * Reads policies from YAML.
     *
     * @param source the name of the text in problems, such as a file name
     * @throws PolicyException if the policies are refused; it has all problems
     */
    public static Policies parse(String yaml, String source) {
        return parse(yaml, source, WebhookHosts.ANY);
    }

    /** {@link #parse(String, String)}, with alerts that may be posted to these hosts only. */
    public static Policies parse(String yaml, String source, WebhookHosts hosts) {
        Objects.requireNonNull(yaml, "yaml");
        return PolicyFileReader.read(yaml, new Problems(Objects.requireNonNull(source, "source")), hosts);
    }

    /**
     * Reads a policy file, encoded in UTF-8.
     *
     * @throws PolicyException if the policies are refused; it has all problems
     * @throws IOException if the file cannot be read
     */
    public static Policies load(Path file) throws IOException {
        return load(file, WebhookHosts.ANY);
    }

    /** {@link #load(Path)}, with alerts that may be posted to these hosts only. */
    public static Policies load(Path file, WebhookHosts hosts) throws IOException {
        return parse(YamlText.readBytes(file), file.toString(), hosts);
    }

    /**
     * Reads policies from YAML, encoded in UTF-8.
     *
     * @param source the name of the text in problems, such as a file name
     * @throws PolicyException if the policies are refused; it has all problems
     */
    public static Policies parse(byte[] bytes, String source) {
        return parse(bytes, source, WebhookHosts.ANY);
    }

    /** {@link #parse(byte[], String)}, with alerts that may be posted to these hosts only. */
    public static Policies parse(byte[] bytes, String source, WebhookHosts hosts) {
        Problems problems = new Problems(source);
        return PolicyFileReader.read(YamlText.decode(bytes, problems), problems, hosts);
    }
}
