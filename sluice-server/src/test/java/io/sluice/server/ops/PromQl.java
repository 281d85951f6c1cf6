package io.sluice.server.ops;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the names in an expression of Prometheus: the metrics, the labels that select their series, and the labels that
 * group them. It is no parser: it knows what the rules and dashboards of this repository use.
 *
 * @param selectors each metric with its matchers
 * @param grouping the labels of {@code by}, {@code on} and their like
 */
record PromQl(List<Selector> selectors, Set<String> grouping) {
    /**
     * A metric with its matchers.
     *
     * @param equal the value of each label that is compared with {@code =} or {@code !=}, else an empty text
     */
    record Selector(String metric, Map<String, String> equal) {}

    private static final Pattern GROUPING =
            Pattern.compile("\\b(?:by|without|on|ignoring|group_left|group_right)\\s*\\(([^)]*)\\)");
    private static final Pattern LABEL = Pattern.compile("\\w+");
    private static final Pattern RANGE = Pattern.compile("\\[[^]]*]");
    private static final Pattern METRIC = Pattern.compile("([a-zA-Z_:][\\w:]*)\\s*(\\{[^}]*})?\\s*(\\()?");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"");
    private static final Set<String> OPERATORS = Set.of("and", "or", "unless", "bool", "offset");

    static PromQl of(String expression) {
        Set<String> grouping = new LinkedHashSet<>();
        Matcher groups = GROUPING.matcher(expression);
        while (groups.find()) {
            LABEL.matcher(groups.group(1)).results().forEach(label -> grouping.add(label.group()));
        }
        String rest =
                RANGE.matcher(GROUPING.matcher(expression).replaceAll(" ")).replaceAll(" ");
        List<Selector> selectors = new ArrayList<>();
        Matcher names = METRIC.matcher(rest);
        while (names.find()) {
            boolean isFunction = names.group(3) != null && names.group(2) == null;
            if (!isFunction
                    && !OPERATORS.contains(names.group(1))
                    && !isAggregation(names.group(1), rest, names.end(1))) {
                selectors.add(new Selector(names.group(1), matchers(names.group(2))));
            }
        }
        return new PromQl(selectors, grouping);
    }

    /** {@code sum by (x) (...)} has lost its grouping, so its name stands before a parenthesis after blanks. */
    private static boolean isAggregation(String name, String text, int end) {
        return Set.of("sum", "max", "min", "count", "avg", "topk", "bottomk").contains(name)
                && text.substring(end).stripLeading().startsWith("(");
    }

    private static Map<String, String> matchers(@Nullable String braces) {
        Map<String, String> equal = new TreeMap<>();
        if (braces != null) {
            Matcher matcher = MATCHER.matcher(braces);
            while (matcher.find()) {
                equal.put(matcher.group(1), matcher.group(2).contains("~") ? "" : matcher.group(3));
            }
        }
        return equal;
    }
}
