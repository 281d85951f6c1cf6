package io.sluice.policy.envoy;

import io.sluice.OnFailure;
import io.sluice.policy.Charging;
import io.sluice.policy.Condition;
import io.sluice.policy.KeyPart;
import io.sluice.policy.Match;
import io.sluice.policy.Mode;
import io.sluice.policy.Policy;
import io.sluice.policy.PolicyException;
import io.sluice.policy.Scope;
import io.sluice.policy.yaml.MappingReader;
import io.sluice.policy.yaml.Problems;
import io.sluice.policy.yaml.SourcePosition;
import io.sluice.policy.yaml.ValueReader;
import io.sluice.policy.yaml.YamlNode;
import io.sluice.policy.yaml.YamlReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * All files that envoyproxy/ratelimit accepts are accepted with the same meaning. Fields that only change its
 * statistics have no effect here. Fields that envoyproxy/ratelimit accepts but ignores (a field in the wrong place, a
 * duplicate field) are refused.
 */
/** Reads one file of envoyproxy/ratelimit, which is one domain. */
final class EnvoyFileReader {
    private static final List<String> FIELDS = List.of("domain", "descriptors");
    private static final List<String> DESCRIPTOR_FIELDS = List.of(
            "key",
            "value",
            "rate_limit",
            "descriptors",
            "shadow_mode",
            "share_threshold",
            "detailed_metric",
            "value_to_metric",
            "quota_mode",
            "metadata",
            EnvoyLimitReader.CHARGE);
    private static final String DESCRIPTORS = "a list of descriptors";
    private static final String KEY = "a key, not empty";

    private final Problems problems;
    private final Problems warnings;
    private final ValueReader values;
    private final EnvoyLimitReader limits;
    private final EnvoyTree tree = new EnvoyTree();
    private final List<Policy> policies = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private final List<EnvoyLimitReader.Replaced> replaced = new ArrayList<>();

    /** @param warnings warnings of valid but suspicious fields; complete only if there are no problems */
    EnvoyFileReader(Problems problems, Problems warnings) {
        this.problems = problems;
        this.warnings = warnings;
        this.values = new ValueReader(problems);
        this.limits = new EnvoyLimitReader(problems, warnings);
    }

    /** The descriptors of the domain. */
    EnvoyTree tree() {
        return tree;
    }

    /** The policies, one for each rule, in the order of the file. */
    List<Policy> policies() {
        return policies;
    }

    /**
     * Reads the file.
     *
     * @return the name of the domain; null if it has an error
     * @throws PolicyException if the file cannot be read to its end
     */
    YamlNode.@Nullable Scalar read(String yaml) {
        YamlNode root = YamlReader.read(yaml, problems);
        if (root == null) {
            throw problems.fatal(SourcePosition.START, "nothing (expected: a mapping with domain and descriptors)");
        }
        MappingReader fields = MappingReader.of("file", root, FIELDS, problems);
        if (fields == null) {
            return null;
        }
        YamlNode domain = fields.required("domain", "the name of a domain");
        String name = domain == null ? null : values.text("domain", domain, "the name of a domain");
        if (domain != null && name != null && name.isEmpty()) {
            values.refuse("domain", domain, "the name of a domain");
        }
        descriptors(fields.nonNull("descriptors"), tree, EnvoyPath.of(name == null ? "" : name));
        for (EnvoyLimitReader.Replaced each : replaced) {
            if (!names.contains(each.name())) {
                warnings.warning(
                        each.at(),
                        "name: " + Problems.quoted(each.name())
                                + " is not the name of a rate_limit of this domain, so nothing is replaced");
            }
        }
        return name == null ? null : (YamlNode.Scalar) domain;
    }

    private void descriptors(@Nullable YamlNode node, EnvoyTree parent, EnvoyPath path) {
        if (node == null) {
            return;
        }
        Map<EnvoyEntry, SourcePosition> seen = new HashMap<>();
        for (YamlNode item : values.items("descriptors", node, DESCRIPTORS)) {
            MappingReader fields = MappingReader.of("descriptor", item, DESCRIPTOR_FIELDS, problems);
            if (fields != null) {
                descriptor(fields, parent, path, seen);
            }
        }
    }

    private void descriptor(
            MappingReader fields, EnvoyTree parent, EnvoyPath path, Map<EnvoyEntry, SourcePosition> seen) {
        YamlNode keyNode = fields.required("key", KEY);
        String key = keyNode == null ? null : values.text("key", keyNode, KEY);
        if (keyNode != null && key != null && key.isEmpty()) {
            values.refuse("key", keyNode, KEY);
        }
        YamlNode valueNode = fields.nonNull("value");
        String value = valueNode == null ? null : values.text("value", valueNode, "a text, perhaps with *");
        if (value != null && value.isEmpty()) {
            value = null;
        }
        boolean shared = flag(fields, "share_threshold");
        if (shared && !EnvoyTree.isWildcard(value)) {
            values.refuse("share_threshold", node(fields, "share_threshold"), "only with a value that has a *");
        }
        if (flag(fields, "quota_mode")) {
            values.refuse("quota_mode", node(fields, "quota_mode"), "false; quotas for routing are not supported");
        }
        flag(fields, "detailed_metric");
        flag(fields, "value_to_metric");
        if (key == null) {
            key = "";
        } else {
            refuseDuplicate(fields, key, value, seen);
        }
        EnvoyPath here = path.then(key, value, value == null || (EnvoyTree.isWildcard(value) && !shared));
        EnvoyTree child = new EnvoyTree();
        parent.add(key, value, child);
        rule(fields, here, child);
        descriptors(fields.nonNull("descriptors"), child, here);
    }

    private void refuseDuplicate(
            MappingReader fields, String key, @Nullable String value, Map<EnvoyEntry, SourcePosition> seen) {
        SourcePosition at = fields.node().at();
        SourcePosition first = seen.putIfAbsent(new EnvoyEntry(key, value == null ? "" : value), at);
        if (first != null) {
            problems.error(
                    at,
                    "descriptor: key " + Problems.quoted(key)
                            + (value == null ? " without a value" : " with value " + Problems.quoted(value))
                            + " a second time (expected: once in a list; the first is in line " + first.line() + ")");
        }
    }

    private void rule(MappingReader fields, EnvoyPath path, EnvoyTree child) {
        boolean shadow = flag(fields, "shadow_mode");
        YamlNode chargeNode = fields.nonNull(EnvoyLimitReader.CHARGE);
        Charging charge = limits.charge(chargeNode);
        YamlNode node = fields.nonNull("rate_limit");
        if (node == null) {
            warnOfMissingLimit(fields, shadow);
            return;
        }
        EnvoyLimitReader.Rate rate = limits.read(node);
        if (rate == null) {
            return;
        }
        if (chargeNode != null && rate.charge() != null && charge != rate.charge()) {
            values.refuse(EnvoyLimitReader.CHARGE, chargeNode, "the same as in rate_limit, or only one of them");
        } else if (charge == null) {
            charge = rate.charge();
        }
        replaced.addAll(rate.replaces());
        if (rate.name() != null) {
            names.add(rate.name());
        }
        child.target = new EnvoyTarget(rate.rule(path.name()), path.open());
        policies.add(new Policy(
                path.name(),
                new Match(Map.of(EnvoyConfig.RULE, new Condition.Exact(path.name()))),
                path.open().stream()
                        .map(open -> new KeyPart(open.attribute(), KeyPart.WHOLE))
                        .toList(),
                rate.limit(),
                List.of(),
                null,
                shadow ? Mode.SHADOW : Mode.ENFORCE,
                OnFailure.ALLOW,
                Scope.SHARED,
                charge == null ? Charging.ADMITTED : charge));
    }

    private void warnOfMissingLimit(MappingReader fields, boolean shadow) {
        if (fields.optional("rate_limit") != null) {
            warnings.warning(
                    node(fields, "rate_limit").at(), "rate_limit: nothing, so there is no limit (expected: a mapping)");
        }
        if (fields.nonNull(EnvoyLimitReader.CHARGE) != null) {
            warnings.warning(
                    node(fields, EnvoyLimitReader.CHARGE).at(),
                    "charge: has no effect, because there is no rate_limit");
        }
        if (shadow) {
            warnings.warning(
                    node(fields, "shadow_mode").at(), "shadow_mode: has no effect, because there is no rate_limit");
        }
    }

    private boolean flag(MappingReader fields, String field) {
        YamlNode node = fields.nonNull(field);
        return node != null && values.flag(field, node);
    }

    private static YamlNode node(MappingReader fields, String field) {
        return Objects.requireNonNull(fields.optional(field), field);
    }
}
