package io.sluice.policy.reader;

import io.sluice.policy.Alert;
import io.sluice.policy.AlertCondition;
import io.sluice.policy.WebhookHosts;
import io.sluice.policy.yaml.MappingReader;
import io.sluice.policy.yaml.Problems;
import io.sluice.policy.yaml.UniqueNames;
import io.sluice.policy.yaml.ValueReader;
import io.sluice.policy.yaml.YamlNode;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads alerts. The result is null if an alert has errors; all its fields are checked nevertheless. */
final class AlertReader {
    private static final List<String> FIELDS = List.of("name", "when", "over", "at-least", "policy", "notify");
    private static final Duration DEFAULT_OVER = Duration.ofMinutes(1);
    private static final Long DEFAULT_AT_LEAST = 1L;
    private static final Long NONE = 0L;
    private static final String WHEN = "a condition such as denied / total > 30%";
    private static final String NOTIFY = "log, or a URL that begins with http:// or https://";
    private static final int MAX_PORT = 65535;

    private final Problems problems;
    private final ValueReader values;
    private final UniqueNames policies;
    private final UniqueNames names;
    private final WebhookHosts hosts;

    /** @param hosts the hosts that alerts may be posted to */
    AlertReader(Problems problems, UniqueNames policies, WebhookHosts hosts) {
        this.problems = problems;
        this.values = new ValueReader(problems);
        this.policies = policies;
        this.names = new UniqueNames(problems);
        this.hosts = hosts;
    }

    @Nullable
    Alert alert(YamlNode node) {
        MappingReader fields = MappingReader.of("alert", node, FIELDS, problems);
        if (fields == null) {
            return null;
        }
        String name = fields.required("name", "a name", names::read);
        AlertCondition when = fields.required("when", WHEN, this::when);
        Duration over = fields.optional("over", DEFAULT_OVER, values::duration);
        Long atLeast = fields.optional(
                "at-least", when == null || when.isAboutDecisions() ? DEFAULT_AT_LEAST : NONE, values::wholeNumber);
        String policy = policy(fields.optional("policy"));
        List<String> targets = targets(fields.optional("notify"));
        if (name == null || when == null || over == null || atLeast == null) {
            return null;
        }
        return new Alert(name, policy, when, over, atLeast, targets);
    }

    private @Nullable AlertCondition when(String field, YamlNode node) {
        String text = values.text(field, node, WHEN);
        if (text == null) {
            return null;
        }
        try {
            return AlertCondition.parse(text);
        } catch (IllegalArgumentException e) {
            problems.error(node.at(), String.valueOf(e.getMessage()));
            return null;
        }
    }

    private @Nullable String policy(@Nullable YamlNode node) {
        String expected = "the name of a policy of this file";
        String policy = node == null ? null : values.text("policy", node, expected);
        if (node != null && policy != null && !policies.contains(policy)) {
            values.refuse("policy", node, expected);
        }
        return policy;
    }

    private List<String> targets(@Nullable YamlNode node) {
        if (node == null) {
            return List.of("log");
        }
        List<String> targets = new ArrayList<>();
        for (YamlNode.Scalar text : values.texts("notify", node, NOTIFY)) {
            if (text.text().equals("log") || isUrl(text)) {
                targets.add(text.text());
            }
        }
        return targets;
    }

    /**
     * Whether an alert may be posted to this URL; a problem if not. The problem does not repeat a password or a path.
     */
    private boolean isUrl(YamlNode.Scalar node) {
        URI uri = url(node.text());
        if (uri == null) {
            values.refuse("notify", node, NOTIFY);
        } else if (uri.getRawUserInfo() != null) {
            problems.error(
                    node.at(),
                    "notify: a user or a password in a URL of " + Problems.quoted(uri.getHost())
                            + " (expected: none; policies are not kept secret)");
        } else if (uri.getPort() == 0 || uri.getPort() > MAX_PORT) {
            problems.error(node.at(), "notify: port " + uri.getPort() + " (expected: 1 to " + MAX_PORT + ")");
        } else if (!hosts.allow(uri.getHost())) {
            problems.error(
                    node.at(),
                    "notify: host " + Problems.quoted(uri.getHost()) + " (expected: one that the setting webhook-hosts"
                            + " allows: " + hosts + ")");
        } else {
            return true;
        }
        return false;
    }

    private static @Nullable URI url(String text) {
        try {
            URI uri = new URI(text);
            boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            return http && uri.getHost() != null ? uri : null;
        } catch (URISyntaxException e) {
            return null;
        }
    }
}
