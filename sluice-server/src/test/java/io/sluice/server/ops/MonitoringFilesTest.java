package io.sluice.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.micrometer.StoreMetrics;
import io.sluice.server.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The Grafana dashboard and the alert rules use only metrics and labels that Sluice really has. */
class MonitoringFilesTest {
    private static final Path DEPLOY = Path.of("..", "deploy");
    private static final String POLICIES = """
            version: 1
            policies:
              - { name: all, limit: 100/s }
              - { name: per-tenant, key: [tenant], limit: 10/s }
            """;
    private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.*), (\\w+)\\)");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{?(\\w+)");
    private static final Pattern LEGEND_LABEL = Pattern.compile("\\{\\{(\\w+)}}");
    private static final Pattern TEMPLATE_LABEL = Pattern.compile("\\$labels\\.(\\w+)");

    private static TestServer server = TestServer.open(POLICIES, config -> config.latencyHistogram(true));
    private static ScrapedMetrics metrics = new ScrapedMetrics();

    @BeforeAll
    static void scrape() {
        // A store in Redis has the meters of its listener, whether Redis is there or not.
        PrometheusMeterRegistry store = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        store.config().meterFilter(new LatencyHistogram());
        new StoreMetrics().bindTo(store);
        metrics.add(server.send(server.request("/metrics")).body());
        metrics.add(store.scrape());
        // This server counts in memory, so its limits belong to the process.
        metrics.addValue("sluice_limit", "scope", "shared");
    }

    @AfterAll
    static void close() {
        server.close();
    }

    private static Tree dashboard() throws IOException {
        return Tree.ofJson(Files.readString(DEPLOY.resolve("grafana/sluice.json")));
    }

    private static List<Tree> rules() throws IOException {
        List<Tree> rules = new ArrayList<>();
        Tree.ofYaml(Files.readString(DEPLOY.resolve("prometheus/alerts.yaml")))
                .get("groups")
                .items()
                .forEach(group -> rules.addAll(group.get("rules").items()));
        return rules;
    }

    private static List<String> labels(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).toList();
    }

    @Test
    void dashboard_everyExpression_usesRealMetrics() throws IOException {
        List<String> expressions = new ArrayList<>();
        dashboard().forEachField((name, value) -> {
            if (name.equals("expr")) {
                expressions.add(value.text());
            }
        });
        assertThat(expressions).hasSizeGreaterThan(20);
        assertThat(expressions).flatMap(metrics::problems).isEmpty();
    }

    @Test
    void dashboard_everyVariable_usesRealMetricsAndIsDefined() throws IOException {
        Set<String> names = new HashSet<>(Set.of("__rate_interval"));
        for (Tree variable : dashboard().get("templating").get("list").items()) {
            names.add(variable.get("name").text());
            if (variable.get("type").text().equals("query")) {
                Matcher query = LABEL_VALUES.matcher(variable.get("definition").text());
                assertThat(query.matches()).isTrue();
                assertThat(metrics.problems("sum by (" + query.group(2) + ") (" + query.group(1) + ")"))
                        .isEmpty();
                assertThat(variable.get("query").get("query")).isEqualTo(variable.get("definition"));
            }
        }
        assertThat(names).contains("datasource");
        dashboard().forEachField((name, value) -> {
            if (name.equals("expr")) {
                assertThat(names).containsAll(labels(VARIABLE, value.text()));
            }
            if (name.equals("datasource")) {
                assertThat(value.get("uid").text()).isEqualTo("${datasource}");
            }
        });
    }

    @Test
    void dashboard_everyPanel_isComplete() throws IOException {
        Set<Integer> ids = new HashSet<>();
        Set<String> cells = new HashSet<>();
        for (Tree panel : dashboard().get("panels").items()) {
            String title = panel.get("title").text();
            assertThat(ids.add(panel.get("id").number())).as(title).isTrue();
            addCells(panel.get("gridPos"), title, cells);
            String type = panel.get("type").text();
            if (type.equals("row")) {
                continue;
            }
            assertThat(panel.get("description").text()).as(title).isNotBlank();
            assertThat(panel.get("fieldConfig").get("defaults").get("unit").text())
                    .as(title)
                    .isNotBlank();
            for (Tree target : panel.get("targets").items()) {
                String legend = target.get("legendFormat").text();
                assertThat(!legend.isBlank() || type.equals("table")).as(title).isTrue();
                assertThat(PromQl.of(target.get("expr").text()).grouping())
                        .as(title)
                        .containsAll(labels(LEGEND_LABEL, legend));
            }
        }
    }

    private static void addCells(Tree place, String title, Set<String> cells) {
        int left = place.get("x").number();
        int top = place.get("y").number();
        int right = left + place.get("w").number();
        assertThat(right).as(title).isLessThanOrEqualTo(24);
        for (int x = left; x < right; x++) {
            for (int y = top; y < top + place.get("h").number(); y++) {
                assertThat(cells.add(x + "," + y)).as(title + " overlaps").isTrue();
            }
        }
    }

    @Test
    void alertRules_everyExpression_usesRealMetrics() throws IOException {
        assertThat(rules()).hasSizeGreaterThan(8);
        for (Tree rule : rules()) {
            String name = rule.get("alert").text();
            String expression = rule.get("expr").text();
            assertThat(metrics.problems(expression)).as(name).isEmpty();
            assertThat(rule.get("labels").get("severity").text()).as(name).isIn("critical", "warning", "info");
            assertThat(rule.get("annotations").get("summary").text()).as(name).isNotBlank();
            assertThat(rule.get("annotations").get("description").text())
                    .as(name)
                    .isNotBlank();
            // An alert has the labels by which its expression groups. Those without groups have the labels of "up".
            Set<String> known = PromQl.of(expression).grouping();
            assertThat(known.isEmpty() ? Set.of("job", "instance") : known)
                    .as(name)
                    .containsAll(labels(TEMPLATE_LABEL, rule.get("annotations").text()));
        }
        assertThat(rules()).extracting(rule -> rule.get("alert")).doesNotHaveDuplicates();
    }

    @Test
    void problems_misspeltNames_areFound() {
        assertThat(metrics.problems("sum by (outcome) (rate(sluice_requests_total{job=~\"$job\"}[5m]))"))
                .isEmpty();
        assertThat(metrics.problems(
                        "topk(5, up) / on (job) group_left () count by (job) (sluice_keys) > 0 or absent(up)"))
                .isEmpty();
        assertThat(metrics.problems("rate(sluice_request_total[5m])"))
                .containsExactly("no metric sluice_request_total in rate(sluice_request_total[5m])");
        assertThat(metrics.problems("up == 0 and sluice_key")).hasSize(1);
        assertThat(metrics.problems("max(sluice_keys{instanze=\"a\"})")).hasSize(1);
        assertThat(metrics.problems("sluice_requests_total{outcome=\"refused\"}"))
                .hasSize(1);
        assertThat(metrics.problems("sum by (outcom) (sluice_requests_total)")).hasSize(1);
        assertThat(metrics.problems("1 > 0")).hasSize(1);
    }
}
