package io.sluice.policy.reader;

import io.sluice.policy.Alert;
import io.sluice.policy.Policies;
import io.sluice.policy.Policy;
import io.sluice.policy.WebhookHosts;
import io.sluice.policy.lint.Lint;
import io.sluice.policy.yaml.Located;
import io.sluice.policy.yaml.MappingReader;
import io.sluice.policy.yaml.Problems;
import io.sluice.policy.yaml.SourcePosition;
import io.sluice.policy.yaml.UniqueNames;
import io.sluice.policy.yaml.ValueReader;
import io.sluice.policy.yaml.YamlNode;
import io.sluice.policy.yaml.YamlReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads a policy file. */
public final class PolicyFileReader {
    private static final List<String> FIELDS = List.of("version", "policies", "alerts");

    private final Problems problems;
    private final ValueReader values;
    private final UniqueNames names;
    private final WebhookHosts hosts;

    private PolicyFileReader(Problems problems, WebhookHosts hosts) {
        this.problems = problems;
        this.hosts = hosts;
        this.values = new ValueReader(problems);
        this.names = new UniqueNames(problems);
    }

    /** See {@link Policies#parse}. */
    public static Policies read(String yaml, Problems problems, WebhookHosts hosts) {
        YamlNode root = YamlReader.read(yaml, problems);
        if (root == null) {
            throw problems.fatal(SourcePosition.START, "nothing (expected: a mapping with version and policies)");
        }
        return new PolicyFileReader(problems, hosts).read(root, yaml);
    }

    private Policies read(YamlNode root, String yaml) {
        MappingReader fields = MappingReader.of("file", root, FIELDS, problems);
        if (fields == null) {
            throw problems.exception();
        }
        version(fields);
        YamlNode policiesNode = fields.required("policies", "a list of policies, [] for none");
        PolicyReader policyReader = new PolicyReader(problems, names);
        List<Located<Policy>> policies =
                list("policies", policiesNode, "a list of policies, [] for none", policyReader::policy);
        AlertReader alertReader = new AlertReader(problems, names, hosts);
        List<Located<Alert>> alerts = list("alerts", fields.optional("alerts"), "a list of alerts", alertReader::alert);
        if (!problems.isEmpty()) {
            throw problems.exception();
        }
        Lint.check(policies, alerts, problems);
        return new Policies(
                policies.stream().map(Located::value).toList(),
                alerts.stream().map(Located::value).toList(),
                problems.list(),
                yaml);
    }

    private void version(MappingReader fields) {
        YamlNode node = fields.required("version", "1");
        String version = node == null ? null : values.text("version", node, "1");
        if (node != null && version != null && !version.equals("1")) {
            values.refuse("version", node, "1");
        }
    }

    private <T> List<Located<T>> list(
            String field, @Nullable YamlNode node, String expected, Function<YamlNode, @Nullable T> reader) {
        List<Located<T>> read = new ArrayList<>();
        if (node != null) {
            for (YamlNode item : values.items(field, node, expected)) {
                T value = reader.apply(item);
                if (value != null) {
                    read.add(new Located<>(value, item));
                }
            }
        }
        return read;
    }
}
