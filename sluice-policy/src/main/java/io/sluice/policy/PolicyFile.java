package io.sluice.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads a whole policy file. */
final class PolicyFile {
    private static final List<String> FIELDS = List.of("version", "policies", "alerts");

    private final Problems problems;
    private final Values values;
    private final Names names;
    private final WebhookHosts hosts;

    private PolicyFile(Problems problems, WebhookHosts hosts) {
        this.problems = problems;
        this.hosts = hosts;
        this.values = new Values(problems);
        this.names = new Names(problems);
    }

    /** What the text says; see {@link Policies#parse}. */
    static Policies read(String yaml, Problems problems, WebhookHosts hosts) {
        YamlNode root = YamlReader.read(yaml, problems);
        if (root == null) {
            throw problems.fatal(Place.START, "nothing (expected: a mapping with version and policies)");
        }
        return new PolicyFile(problems, hosts).read(root, yaml);
    }

    private Policies read(YamlNode root, String yaml) {
        Section section = Section.of("file", root, FIELDS, problems);
        if (section == null) {
            throw problems.exception();
        }
        version(section);
        YamlNode policiesNode = section.required("policies", "a list of policies, [] for none");
        PolicyReader policyReader = new PolicyReader(problems, names);
        List<Written<Policy>> policies =
                list("policies", policiesNode, "a list of policies, [] for none", policyReader::policy);
        AlertReader alertReader = new AlertReader(problems, names, hosts);
        List<Written<Alert>> alerts =
                list("alerts", section.optional("alerts"), "a list of alerts", alertReader::alert);
        if (!problems.isEmpty()) {
            throw problems.exception();
        }
        Lint.look(policies, alerts, problems);
        return new Policies(
                policies.stream().map(Written::value).toList(),
                alerts.stream().map(Written::value).toList(),
                problems.list(),
                yaml);
    }

    private void version(Section section) {
        YamlNode node = section.required("version", "1");
        String version = node == null ? null : values.text("version", node, "1");
        if (node != null && version != null && !version.equals("1")) {
            values.refuse("version", node, "1");
        }
    }

    private <T> List<Written<T>> list(
            String field, @Nullable YamlNode node, String expected, Function<YamlNode, @Nullable T> reader) {
        List<Written<T>> read = new ArrayList<>();
        if (node != null) {
            for (YamlNode item : values.items(field, node, expected)) {
                T value = reader.apply(item);
                if (value != null) {
                    read.add(new Written<>(value, item));
                }
            }
        }
        return read;
    }
}
