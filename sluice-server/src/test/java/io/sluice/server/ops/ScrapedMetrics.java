package io.sluice.server.ops;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a scrape of {@code /metrics} has: each metric with its labels and their values. */
final class ScrapedMetrics {
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][\\w:]*)(?:\\{(.*)})? \\S+");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    /** Labels that Prometheus adds to everything that it scrapes. */
    private static final Set<String> OF_THE_TARGET = Set.of("job", "instance");

    private final Map<String, Map<String, Set<String>>> labels = new TreeMap<>();

    ScrapedMetrics() {
        // Prometheus makes this one by itself.
        labels.put("up", new TreeMap<>());
    }

    /** Adds what a scrape has. */
    void add(String scrape) {
        scrape.lines().filter(line -> !line.startsWith("#")).forEach(this::addSample);
    }

    /** Adds a value to a label that a scrape has. */
    void addValue(String metric, String label, String value) {
        Objects.requireNonNull(Objects.requireNonNull(labels.get(metric)).get(label))
                .add(value);
    }

    private void addSample(String line) {
        Matcher sample = SAMPLE.matcher(line);
        if (sample.matches()) {
            Map<String, Set<String>> known = labels.computeIfAbsent(sample.group(1), name -> new TreeMap<>());
            Matcher label = LABEL.matcher(sample.group(2) == null ? "" : sample.group(2));
            while (label.find()) {
                known.computeIfAbsent(label.group(1), name -> new TreeSet<>()).add(label.group(2));
            }
        }
    }

    /** What is wrong with an expression: metrics, labels and values of labels that no scrape has. */
    List<String> problems(String expression) {
        List<String> problems = new ArrayList<>();
        PromQl query = PromQl.of(expression);
        Set<String> groupable = new TreeSet<>(OF_THE_TARGET);
        for (PromQl.Selector selector : query.selectors()) {
            Map<String, Set<String>> known = labels.get(selector.metric());
            if (known == null) {
                problems.add("no metric " + selector.metric() + " in " + expression);
                continue;
            }
            groupable.addAll(known.keySet());
            selector.equal().forEach((label, value) -> {
                if (!OF_THE_TARGET.contains(label)) {
                    if (!known.containsKey(label)) {
                        problems.add("no label " + label + " of " + selector.metric() + " in " + expression);
                    } else if (!value.isEmpty()
                            && !Objects.requireNonNull(known.get(label)).contains(value)) {
                        problems.add("no " + label + "=" + value + " of " + selector.metric() + " in " + expression);
                    }
                }
            });
        }
        if (query.selectors().isEmpty()) {
            problems.add("no metric at all in " + expression);
        }
        query.grouping().stream()
                .filter(label -> !groupable.contains(label))
                .forEach(label -> problems.add("no label " + label + " to group by in " + expression));
        return problems;
    }
}
