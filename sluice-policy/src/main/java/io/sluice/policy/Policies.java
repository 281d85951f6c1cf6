package io.sluice.policy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What a policy file says.
 *
 * <pre>{@code
 * Policies policies = Policies.load(Path.of("policies.yaml"));
 * }</pre>
 *
 * @param policies in the order of the file
 * @param alerts in the order of the file
 * @param warnings what is legal but suspicious, in the order of the file
 * @param text the YAML that says all this; empty if it was not read
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
     * Reads YAML.
     *
     * @param source what problems call it, as a file's name
     * @throws PolicyException if it is refused; the exception holds all problems
     */
    public static Policies parse(String yaml, String source) {
        return parse(yaml, source, WebhookHosts.ANY);
    }

    /** {@link #parse(String, String)}, where alerts may be posted to those hosts only. */
    public static Policies parse(String yaml, String source, WebhookHosts hosts) {
        Objects.requireNonNull(yaml, "yaml");
        return PolicyFile.read(yaml, new Problems(Objects.requireNonNull(source, "source")), hosts);
    }

    /**
     * Reads a file, as UTF-8.
     *
     * @throws PolicyException if it is refused; the exception holds all problems
     * @throws IOException if the file cannot be read
     */
    public static Policies load(Path file) throws IOException {
        return load(file, WebhookHosts.ANY);
    }

    /** {@link #load(Path)}, where alerts may be posted to those hosts only. */
    public static Policies load(Path file, WebhookHosts hosts) throws IOException {
        return parse(read(file), file.toString(), hosts);
    }

    /** What a file says; of one that is too long anyway, the beginning. */
    static byte[] read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(YamlText.MOST_BYTES);
        }
    }

    /**
     * Reads YAML, as UTF-8.
     *
     * @param source what problems call it, as a file's name
     * @throws PolicyException if it is refused; the exception holds all problems
     */
    public static Policies parse(byte[] bytes, String source) {
        return parse(bytes, source, WebhookHosts.ANY);
    }

    /** {@link #parse(byte[], String)}, where alerts may be posted to those hosts only. */
    public static Policies parse(byte[] bytes, String source, WebhookHosts hosts) {
        Problems problems = new Problems(source);
        return PolicyFile.read(decode(bytes, problems), problems, hosts);
    }

    /** What {@link #read} found, as text. */
    static String decode(byte[] bytes, Problems problems) {
        return YamlText.decode(bytes, bytes.length < YamlText.MOST_BYTES, problems);
    }
}
