package io.sluice.spring.autoconfigure;

import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicyException;
import io.sluice.policy.Problem;
import io.sluice.spring.SluiceSettingsException;
import java.io.File;
import java.io.IOException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;

/** Finds the policies of an application: under {@code sluice.policies}, or in the file that {@code sluice.config} names. */
final class ConfiguredPolicies {
    private static final String POLICIES = "sluice.policies";
    private static final String ALERTS = "sluice.alerts";

    private final Environment environment;
    private final ResourceLoader resources;

    ConfiguredPolicies(Environment environment, ResourceLoader resources) {
        this.environment = environment;
        this.resources = resources;
    }

    /** Sets the policies of an engine. A file is followed: the engine reads it again when it changes. */
    void applyTo(PolicyEngine.Builder builder, @Nullable String config) {
        PropertyTree policies = PropertyTree.read(environment, POLICIES);
        PropertyTree alerts = PropertyTree.read(environment, ALERTS);
        if (config == null || config.isBlank()) {
            builder.policies(fromProperties(policies, alerts));
        } else if (isAbsent(policies) && isAbsent(alerts)) {
            fromFile(builder, config);
        } else {
            throw new SluiceSettingsException(
                    "sluice.config: \"" + config + "\" beside " + (isAbsent(policies) ? ALERTS : POLICIES)
                            + " (expected: one of them)",
                    "Move all policies and alerts into the file, or remove sluice.config.");
        }
    }

    /** An empty list is how a profile removes the policies of another one. */
    private static boolean isAbsent(@Nullable PropertyTree tree) {
        return tree == null || tree.isEmpty();
    }

    private static Policies fromProperties(@Nullable PropertyTree policies, @Nullable PropertyTree alerts) {
        PolicyPropertiesText text = PolicyPropertiesText.of(policies, alerts);
        try {
            return Policies.parse(text.toString(), POLICIES);
        } catch (PolicyException e) {
            throw new SluiceSettingsException(
                    "The policies of Sluice are refused:\n\n"
                            + e.problems().stream()
                                    .map(problem -> "    " + located(problem, text))
                                    .collect(Collectors.joining("\n")),
                    "Correct these properties. docs/reference/policies.md describes the fields of a policy.");
        }
    }

    private static String located(Problem problem, PolicyPropertiesText text) {
        return text.place(problem.line()) + ": " + problem.message();
    }

    private void fromFile(PolicyEngine.Builder builder, String config) {
        Resource resource = resources.getResource(config);
        if (!resource.isReadable()) {
            throw new SluiceSettingsException(
                    "sluice.config: \"" + config
                            + "\" cannot be read (expected: a policy file, such as classpath:policies.yaml"
                            + " or file:/etc/app/policies.yaml)",
                    "Correct sluice.config, or put the file there.");
        }
        try {
            if (resource.isFile() && config.startsWith("file:")) {
                File file = resource.getFile();
                builder.file(file.toPath());
            } else {
                builder.policies(Policies.parse(resource.getContentAsByteArray(), config));
            }
        } catch (IOException e) {
            throw new SluiceSettingsException(
                    "sluice.config: \"" + config + "\" cannot be read: " + e.getMessage(), "Correct sluice.config.");
        }
    }
}
