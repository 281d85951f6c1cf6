package io.sluice.policy.reader;

import io.sluice.policy.Cidr;
import io.sluice.policy.Condition;
import io.sluice.policy.Match;
import io.sluice.policy.yaml.MappingReader;
import io.sluice.policy.yaml.Problems;
import io.sluice.policy.yaml.ValueReader;
import io.sluice.policy.yaml.YamlNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the match of a policy, an override or a reserve. */
final class MatchReader {
    static final String MATCH = "a mapping of attributes to values, such as { tenant: acme }";

    private static final List<String> FORMS = List.of("regex", "cidr", "not-cidr", "not");
    private static final int MAX_PLAIN_NAME = 100;
    private static final String VALUE = "a text, a list, or a mapping with one of " + String.join(", ", FORMS);

    private final Problems problems;
    private final ValueReader values;
    private final RegexCompiler regexes = new RegexCompiler();

    MatchReader(Problems problems) {
        this.problems = problems;
        this.values = new ValueReader(problems);
    }

    /**
     * Reads a match; null and a problem if it is invalid.
     *
     * @param field the name of the field in the file
     */
    @Nullable
    Match match(String field, YamlNode node) {
        if (!(node instanceof YamlNode.Mapping mapping)) {
            values.refuse(field, node, MATCH);
            return null;
        }
        Map<String, Condition> conditions = new LinkedHashMap<>();
        mapping.fields().forEach((attribute, value) -> {
            if (attribute.isEmpty()) {
                problems.error(value.at(), field + ": \"\" (expected: the name of an attribute)");
            }
            Condition condition = condition(shown(attribute), value.value());
            if (condition != null) {
                conditions.put(attribute, condition);
            }
        });
        return new Match(conditions);
    }

    private static String shown(String attribute) {
        return isPlainName(attribute) ? attribute : Problems.quoted(attribute);
    }

    private static boolean isPlainName(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if ((c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && "_.-".indexOf(c) < 0) {
                return false;
            }
        }
        return !name.isEmpty() && name.length() <= MAX_PLAIN_NAME;
    }

    private @Nullable Condition condition(String field, YamlNode node) {
        if (node instanceof YamlNode.Sequence sequence) {
            return anyOf(field, sequence);
        } else if (node instanceof YamlNode.Mapping mapping) {
            return form(field, mapping);
        }
        String text = values.text(field, node, VALUE);
        if (text == null) {
            return null;
        }
        return text.indexOf('*') < 0 ? new Condition.Exact(text) : new Condition.Glob(text);
    }

    private @Nullable Condition anyOf(String field, YamlNode.Sequence sequence) {
        List<Condition> conditions = new ArrayList<>();
        for (YamlNode item : sequence.items()) {
            Condition condition = condition(field, item);
            if (condition != null) {
                conditions.add(condition);
            }
        }
        return oneOf(field, sequence, conditions);
    }

    /** A list of one condition is that condition, so that both ways to write it have the same state of an override. */
    private @Nullable Condition oneOf(String field, YamlNode node, List<Condition> conditions) {
        if (node instanceof YamlNode.Sequence sequence && sequence.items().isEmpty()) {
            problems.error(node.at(), field + ": [] (expected: at least one value; an empty list matches nothing)");
            return null;
        } else if (conditions.isEmpty()) {
            return null;
        }
        return conditions.size() == 1 ? conditions.get(0) : new Condition.AnyOf(conditions);
    }

    private @Nullable Condition form(String field, YamlNode.Mapping mapping) {
        MappingReader fields = MappingReader.of(field, mapping, FORMS, problems);
        if (fields == null) {
            return null;
        }
        List<String> given =
                FORMS.stream().filter(form -> fields.optional(form) != null).toList();
        if (given.size() > 1 || mapping.fields().isEmpty()) {
            String what = given.isEmpty() ? "{}" : String.join(" and ", given);
            problems.error(
                    mapping.at(), field + ": " + what + " (expected: exactly one of " + String.join(", ", FORMS) + ")");
        }
        Condition condition = null;
        for (String form : given) {
            YamlNode node = fields.optional(form);
            if (node != null) {
                condition = form(form, node);
            }
        }
        return condition;
    }

    private @Nullable Condition form(String form, YamlNode node) {
        if (form.equals("regex")) {
            return regex(node);
        }
        Condition condition = form.equals("not") ? condition("not", node) : cidr(form, node);
        if (condition == null || form.equals("cidr")) {
            return condition;
        }
        return new Condition.Not(condition);
    }

    private @Nullable Condition regex(YamlNode node) {
        String regex = values.text("regex", node, "a regular expression of RE2");
        if (regex == null) {
            return null;
        }
        try {
            return new Condition.Regex(regexes.compile(regex));
        } catch (IllegalArgumentException e) {
            problems.error(node.at(), "regex: " + Problems.quoted(regex) + ": " + e.getMessage());
            return null;
        }
    }

    private @Nullable Condition cidr(String form, YamlNode node) {
        List<Condition> networks = new ArrayList<>();
        for (YamlNode.Scalar text : values.texts(form, node, "a network such as 10.0.0.0/8, or a list of them")) {
            try {
                networks.add(new Condition.InCidr(Cidr.parse(text.text())));
            } catch (IllegalArgumentException e) {
                problems.error(text.at(), String.valueOf(e.getMessage()));
            }
        }
        return oneOf(form, node, networks);
    }
}
