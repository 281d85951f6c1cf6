package io.sluice.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Decision;
import io.sluice.Decisions;
import io.sluice.memory.MemoryStore;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.spi.PolicyStore;
import io.sluice.testkit.ManualTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PolicyMetricsTest {
    private static final String HOSTILE = "evil\",outcome=\"x\"}\n# HELP 1";

    private final ManualTime time = new ManualTime();
    private final MemoryStore memory = MemoryStore.builder().time(time).build();
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private boolean isStoreAway;
    private PolicyEngine engine = engine("""
            - { name: per-tenant, key: [tenant], limit: fixed-window 3 per 1h from-first }
            - { name: tried, limit: fixed-window 4 per 1h from-first, mode: shadow }
            """);

    @AfterEach
    void close() {
        engine.close();
        memory.close();
    }

    private static Policies policies(String yaml) {
        return Policies.parse("version: 1\npolicies:\n" + yaml.indent(2), "test.yaml");
    }

    private PolicyEngine engine(String yaml) {
        return PolicyEngine.builder()
                .policies(policies(yaml))
                .store(store())
                .time(time)
                .build();
    }

    /** The memory store as a store outside this process, which may be away. */
    private PolicyStore store() {
        return (PolicyStore) Proxy.newProxyInstance(
                PolicyStore.class.getClassLoader(), new Class<?>[] {PolicyStore.class}, (proxy, method, arguments) -> {
                    try {
                        Object answer = method.invoke(memory, arguments);
                        return isStoreAway && answer instanceof Decisions decisions
                                ? new Decisions(
                                        decisions.allowed(),
                                        decisions.each().stream()
                                                .map(Decision::asDegraded)
                                                .toList())
                                : answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void ask(String tenant, int times) {
        for (int i = 0; i < times; i++) {
            engine.check(Map.of("tenant", tenant));
        }
    }

    private double counter(String name, String... tags) {
        return registry.get(name).tags(tags).functionCounter().count();
    }

    private double decisions(String policy, String outcome) {
        return counter("sluice.decisions", "policy", policy, "outcome", outcome);
    }

    private double requests(String outcome) {
        return counter("sluice.requests", "outcome", outcome);
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }

    /** {@code policy/override/key/scope=value} of each gauge of that name. */
    private List<String> limits(String name) {
        return registry.find(name).gauges().stream()
                .map(gauge -> tag(gauge, "policy") + "/" + tag(gauge, "override") + "/" + tag(gauge, "key") + "/"
                        + tag(gauge, "scope") + "=" + gauge.value())
                .sorted()
                .toList();
    }

    private static String tag(Gauge gauge, String name) {
        return String.valueOf(gauge.getId().getTag(name));
    }

    @Test
    void decisions_everyOutcome_isCountedOnce() {
        new PolicyMetrics(engine).bindTo(registry);
        ask("acme", 4);
        ask("other", 2);
        isStoreAway = true;
        ask("third", 1);
        assertThat(decisions("per-tenant", "allowed")).isEqualTo(5);
        assertThat(decisions("per-tenant", "denied")).isEqualTo(1);
        assertThat(decisions("per-tenant", "shadow-denied")).isZero();
        assertThat(decisions("per-tenant", "degraded")).isEqualTo(1);
        assertThat(decisions("tried", "allowed")).isEqualTo(5);
        assertThat(decisions("tried", "denied")).isZero();
        assertThat(decisions("tried", "shadow-denied")).isEqualTo(1);
        assertThat(decisions("tried", "degraded")).isEqualTo(1);
        assertThat(requests("allowed")).isEqualTo(4);
        assertThat(requests("denied")).isEqualTo(1);
        assertThat(requests("shadow-denied")).isEqualTo(1);
        assertThat(requests("degraded")).isEqualTo(1);
    }

    @Test
    void permits_severalPerRequest_areThoseThatWereTaken() {
        new PolicyMetrics(engine).bindTo(registry);
        engine.check(Map.of("tenant", "acme"), 2);
        engine.check(Map.of("tenant", "acme"), 2);
        assertThat(counter("sluice.permits", "policy", "per-tenant")).isEqualTo(2);
        assertThat(counter("sluice.permits", "policy", "tried")).isEqualTo(2);
    }

    @Test
    void debt_chargedByForce_isWhatIsBeyondTheLimit() {
        new PolicyMetrics(engine).bindTo(registry);
        engine.charge(Map.of("tenant", "acme"), 50);
        assertThat(counter("sluice.permits", "policy", "per-tenant")).isEqualTo(50);
        double first = counter("sluice.debt", "policy", "per-tenant");
        assertThat(first).isBetween(1.0, 49.0);
        engine.charge(Map.of("tenant", "acme"), 7);
        assertThat(counter("sluice.debt", "policy", "per-tenant")).isEqualTo(first + 7);
    }

    @Test
    void replace_addedAndRemoved_counterStaysAndContinues() {
        new PolicyMetrics(engine).bindTo(registry);
        ask("acme", 2);
        Policies before = engine.policies();
        engine.replace(policies("- { name: added, limit: blocked }"));
        ask("acme", 3);
        assertThat(decisions("added", "denied")).isEqualTo(3);
        assertThat(decisions("per-tenant", "allowed")).isEqualTo(2);
        engine.replace(before);
        ask("acme", 1);
        assertThat(decisions("per-tenant", "allowed")).isEqualTo(3);
    }

    @Test
    void factor_ofAPolicyThatAdapts_isAGauge() {
        engine = engine("""
                - { name: rate, limit: 5/s }
                - { name: adapts, limit: 7/s, scope: process, adapt: { signal: cpu } }
                """);
        new PolicyMetrics(engine).bindTo(registry);
        assertThat(registry.find("sluice.limit.factor").gauges())
                .singleElement()
                .satisfies(gauge -> {
                    assertThat(tag(gauge, "policy")).isEqualTo("adapts");
                    assertThat(gauge.value()).isEqualTo(1);
                });
        engine.replace(policies("- { name: adapts, limit: 7/s }"));
        assertThat(registry.find("sluice.limit.factor").gauges()).isEmpty();
    }

    @Test
    void limits_ofPoliciesAndNamedOverrides_areRatesAndBursts() {
        engine = engine("""
                - name: all
                  limit: 600/min burst 100
                  overrides:
                    - { name: gold, match: { plan: gold }, limit: 100/s }
                    - { match: { plan: silver }, limit: 50/s }
                - { name: login, key: [ip/64, user], limit: sliding-log 5 per 10s lockout 5m, scope: process }
                - { name: day, key: [tenant], limit: fixed-window 86400 per 1d }
                - { name: counter, limit: sliding-counter 30 per 1m }
                - { name: queue, limit: leaky-bucket 10/s capacity 20 }
                - { name: slow, limit: token-bucket 2 per 5s burst 3 refill interval }
                - { name: month, limit: fixed-window 26784 per month zone Asia/Shanghai lockout 1m escalate 3 }
                - { name: cold, limit: warm-up 100/s over 10s }
                - { name: closed, limit: blocked }
                - { name: flights, limit: concurrency 8 }
                - { name: free, limit: unlimited, mode: shadow }
                - { name: unused, limit: 7/s, mode: off }
                """);
        new PolicyMetrics(engine).bindTo(registry);
        assertThat(limits("sluice.limit"))
                .containsExactly(
                        "all///shared=10.0",
                        "all/gold//shared=100.0",
                        "closed///shared=0.0",
                        "cold///shared=100.0",
                        "counter///shared=0.5",
                        "day//tenant/shared=1.0",
                        "flights///shared=NaN",
                        "free///shared=Infinity",
                        "login//ip/64,user/process=0.5",
                        "month///shared=" + 26784 / (31 * 86400.0 + 3600),
                        "queue///shared=10.0",
                        "slow///shared=0.4");
        assertThat(limits("sluice.limit.burst"))
                .containsExactly(
                        "all///shared=100.0",
                        "all/gold//shared=100.0",
                        "closed///shared=0.0",
                        "cold///shared=1000.0",
                        "counter///shared=30.0",
                        "day//tenant/shared=86400.0",
                        "flights///shared=8.0",
                        "free///shared=Infinity",
                        "login//ip/64,user/process=5.0",
                        "month///shared=26784.0",
                        "queue///shared=20.0",
                        "slow///shared=3.0");
    }

    @Test
    void limits_replaced_followAndGo() {
        new PolicyMetrics(engine).bindTo(registry);
        Meter before = registry.get("sluice.limit").tag("policy", "tried").meter();
        engine.replace(policies("""
                - { name: tried, limit: 8/s }
                - { name: added, key: [user], limit: 9/s }
                """));
        assertThat(limits("sluice.limit")).containsExactly("added//user/shared=9.0", "tried///shared=8.0");
        assertThat(registry.get("sluice.limit").tag("policy", "tried").meter())
                .as("only what has changed is registered")
                .isSameAs(before);
        engine.replace(policies("- { name: added, limit: unlimited }"));
        assertThat(limits("sluice.limit")).containsExactly("added///shared=Infinity");
        assertThat(limits("sluice.limit.burst")).containsExactly("added///shared=Infinity");
    }

    @Test
    void limits_memoryStore_belongToTheProcess() {
        PolicyEngine local = PolicyEngine.builder()
                .policies(policies("- { name: one, limit: 5/s }"))
                .time(time)
                .build();
        new PolicyMetrics(local).bindTo(registry);
        assertThat(limits("sluice.limit")).containsExactly("one///process=5.0");
        local.close();
    }

    @Test
    void replace_manyPolicies_registersOnlyNewOnes() {
        List<String> registered = new ArrayList<>();
        registry.config().onMeterAdded(meter -> registered.add(meter.getId().getName()));
        List<String> removed = new ArrayList<>();
        registry.config().onMeterRemoved(meter -> removed.add(meter.getId().getName()));
        String many = IntStream.range(0, 500)
                .mapToObj(i -> "- { name: p" + i + ", limit: 5/s }\n")
                .collect(Collectors.joining());
        engine.replace(policies(many));
        new PolicyMetrics(engine).bindTo(registry);
        registered.clear();
        engine.replace(policies(many.replace("5/s", "6/s")));
        assertThat(registered).isEmpty();
        assertThat(removed).isEmpty();
        engine.replace(policies(many.replace("name: p0,", "name: q,")));
        assertThat(registered)
                .containsExactly(
                        "sluice.decisions",
                        "sluice.decisions",
                        "sluice.decisions",
                        "sluice.decisions",
                        "sluice.permits",
                        "sluice.debt",
                        "sluice.skipped",
                        "sluice.evictions",
                        "sluice.limit",
                        "sluice.limit.burst");
        assertThat(removed).containsExactly("sluice.limit", "sluice.limit.burst");
    }

    @Test
    void gauges_always_showTheEngine() {
        engine = PolicyEngine.builder()
                .policies(Policies.parse("""
                        version: 1
                        policies:
                          - { name: closed, limit: blocked }
                        alerts:
                          - { name: any, when: denied > 0, over: 10s }
                        """, "test.yaml"))
                .time(time)
                .build();
        new PolicyMetrics(engine).bindTo(registry);
        assertThat(gauge("sluice.policy.version")).isEqualTo(1);
        assertThat(gauge("sluice.alerts.firing")).isZero();
        ask("acme", 1);
        time.advance(Duration.ofSeconds(2));
        assertThat(gauge("sluice.alerts.firing")).isEqualTo(1);
        engine.replace(policies("- { name: closed, limit: blocked }"));
        assertThat(gauge("sluice.policy.version")).isEqualTo(2);
        assertThat(gauge("sluice.alerts.firing")).isZero();
    }

    @Test
    void bindTo_twoRegistriesAndTwice_eachShowsAllOnce() {
        ask("acme", 1);
        MeterRegistry other = new SimpleMeterRegistry();
        PolicyMetrics metrics = new PolicyMetrics(engine);
        metrics.bindTo(registry);
        metrics.bindTo(other);
        metrics.bindTo(registry);
        ask("acme", 1);
        for (MeterRegistry each : List.of(registry, other)) {
            assertThat(each.get("sluice.decision.latency").timer().count())
                    .as("timed only while bound")
                    .isEqualTo(1);
            assertThat(each.get("sluice.decision.latency").timer().totalTime(TimeUnit.NANOSECONDS))
                    .isPositive();
            assertThat(each.get("sluice.requests")
                            .tag("outcome", "allowed")
                            .functionCounter()
                            .count())
                    .isEqualTo(2);
        }
    }

    @Test
    void close_ofMetricsOrEngine_removesItsMeters() {
        registry.counter("another");
        PolicyMetrics metrics = new PolicyMetrics(engine);
        metrics.bindTo(registry);
        metrics.close();
        assertThat(registry.getMeters()).hasSize(1);
        engine.replace(policies("- { name: unseen, limit: 1/s }"));
        assertThat(registry.getMeters()).hasSize(1);

        metrics.bindTo(registry);
        assertThat(registry.getMeters()).hasSizeGreaterThan(1);
        engine.close();
        assertThat(registry.getMeters()).hasSize(1);
    }

    @Test
    void tags_hostileRequests_areAbsent() {
        new PolicyMetrics(engine).bindTo(registry);
        ask(HOSTILE, 5);
        isStoreAway = true;
        ask(HOSTILE, 1);
        Set<String> values = registry.getMeters().stream()
                .flatMap(meter -> meter.getId().getTags().stream())
                .map(tag -> tag.getKey() + "=" + tag.getValue())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(values)
                .containsExactly(
                        "key=",
                        "key=tenant",
                        "outcome=allowed",
                        "outcome=degraded",
                        "outcome=denied",
                        "outcome=shadow-denied",
                        "override=",
                        "policy=per-tenant",
                        "policy=tried",
                        "scope=shared");
        assertThat(engine.topKeys().busiest(1)).extracting(top -> top.key()).containsExactly(HOSTILE);
    }
}
