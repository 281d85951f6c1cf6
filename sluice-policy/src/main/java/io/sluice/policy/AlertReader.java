package io.sluice.policy;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads alerts. One that has problems is null; all of its fields are looked at nevertheless. */
final class AlertReader {
    private static final List<String> FIELDS = List.of("name", "when", "over", "at-least", "policy", "notify");
    private static final Duration OVER = Duration.ofMinutes(1);
    private static final Long AT_LEAST = 1L;
    private static final String WHEN = "a condition such as denied / total > 30%";
    private static final String NOTIFY = "log, or a URL that begins with http:// or https://";

    private final Problems problems;
    private final Values values;
    private final Names policies;
    private final Names names;

    AlertReader(Problems problems, Names policies) {
        this.problems = problems;
        this.values = new Values(problems);
        this.policies = policies;
        this.names = new Names(problems);
    }

    @Nullable
    Alert alert(YamlNode node) {
        Section section = Section.of("alert", node, FIELDS, problems);
        if (section == null) {
            return null;
        }
        String name = section.required("name", "a name", names::read);
        AlertCondition when = section.required("when", WHEN, this::when);
        Duration over = section.optional("over", OVER, values::duration);
        Long atLeast = section.optional("at-least", AT_LEAST, values::wholeNumber);
        String policy = policy(section.optional("policy"));
        List<String> tell = tell(section.optional("notify"));
        if (name == null || when == null || over == null || atLeast == null) {
            return null;
        }
        return new Alert(name, policy, when, over, atLeast, tell);
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

    private List<String> tell(@Nullable YamlNode node) {
        if (node == null) {
            return List.of("log");
        }
        List<String> tell = new ArrayList<>();
        for (YamlNode.Scalar text : values.texts("notify", node, NOTIFY)) {
            if (text.text().equals("log") || isUrl(text.text())) {
                tell.add(text.text());
            } else {
                values.refuse("notify", text, NOTIFY);
            }
        }
        return tell;
    }

    private static boolean isUrl(String text) {
        try {
            URI uri = new URI(text);
            return ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme())) && uri.getHost() != null;
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
