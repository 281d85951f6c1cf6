package io.sluice.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.Decision;
import io.sluice.micrometer.LimiterMetrics;
import io.sluice.micrometer.PolicyMetrics;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.testkit.redis.RedisProcess;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of metrics has every meter of the service and of limiters, with its kind and tags, and no other. */
class MetricsPageIT {
    private static final Pattern ROW =
            Pattern.compile("\\| `(sluice\\.[a-z.]+)` \\| (counter|gauge|timer) \\| (.*?) ?\\| .+ \\|");
    private static final Pattern TYPE = Pattern.compile("# TYPE (sluice_\\w+) (\\w+)");
    private static final Pattern SAMPLE = Pattern.compile("(sluice_\\w+)\\{(.*)} .*");

    @TempDir
    Path directory;

    /** A kind and its tags, as {@code counter [outcome, policy]}, by the name that Prometheus sees. */
    private static Map<String, String> documented() {
        Map<String, String> meters = new TreeMap<>();
        for (String line :
                Page.read(Page.ROOT.resolve("docs/reference/metrics.md")).lines()) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                String ending =
                        row.group(2).equals("counter") ? "_total" : row.group(2).equals("timer") ? "_seconds" : "";
                Set<String> tags = Arrays.stream(row.group(3).replace("`", "").split(", "))
                        .filter(tag -> !tag.isEmpty())
                        .collect(Collectors.toCollection(TreeSet::new));
                meters.put(row.group(1).replace('.', '_') + ending, row.group(2) + " " + tags);
            }
        }
        return meters;
    }

    private static void scrape(String text, Map<String, String> meters) {
        Map<String, Set<String>> tags = new TreeMap<>();
        for (String line : text.lines().toList()) {
            Matcher sample = SAMPLE.matcher(line);
            if (sample.matches()) {
                Set<String> names = tags.computeIfAbsent(sample.group(1), name -> new TreeSet<>());
                Pattern.compile("(\\w+)=\"").matcher(sample.group(2)).results().forEach(tag -> names.add(tag.group(1)));
            }
        }
        for (String line : text.lines().toList()) {
            Matcher type = TYPE.matcher(line);
            if (type.matches() && !type.group(1).endsWith("_seconds_max")) {
                String kind = type.group(2).equals("summary") ? "timer" : type.group(2);
                // A timer has no sample of its own name.
                String sample = type.group(1) + (kind.equals("timer") ? "_count" : "");
                meters.put(type.group(1), kind + " " + tags.getOrDefault(sample, Set.of()));
            }
        }
    }

    /** The service has no limiters of its own. */
    private static String limiters() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        LimiterMetrics metrics = new LimiterMetrics();
        metrics.bindTo(registry);
        metrics.decided("api", "key", 1, Decision.UNLIMITED);
        return registry.scrape();
    }

    /** No policy of the services adapts. */
    private static String adapting() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Policies policies = Policies.parse(
                "version: 1\npolicies: [{ name: api, limit: 1/s, scope: process, adapt: { signal: cpu } }]\n",
                "adapt.yaml");
        try (PolicyEngine engine = PolicyEngine.builder().policies(policies).build();
                PolicyMetrics metrics = new PolicyMetrics(engine)) {
            metrics.bindTo(registry);
            return registry.scrape();
        }
    }

    @Test
    void page_hasEveryMeter_andNoOther() throws Exception {
        Map<String, String> meters = new TreeMap<>();
        try (RedisProcess redis = RedisProcess.start();
                Service memory = Service.start(directory);
                Service shared = Service.start(directory, "--redis", redis.uri())) {
            scrape(memory.get("/metrics"), meters);
            scrape(shared.get("/metrics"), meters);
        }
        Map<String, String> ofPolicies = new TreeMap<>();
        scrape(adapting(), ofPolicies);
        meters.put("sluice_limit_factor", ofPolicies.get("sluice_limit_factor"));
        scrape(limiters(), meters);
        assertThat(documented()).containsExactlyEntriesOf(meters);
    }
}
