package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;

/**
 * Two versions of policies with different denials, so that each decision shows its version: of each pair of policies,
 * the first denies in the first version, the second in the second version.
 */
final class PolicyVersions {
    private static final Map<String, String> REQUEST = Map.of("tenant", "acme");
    private static final Map<String, String> ALLOWED = Map.of("only", "counted");
    private static final long LONG_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final List<String> yaml;
    private final List<Policies> policies;
    private final List<String> violated;

    private PolicyVersions(String template, List<String> first, List<String> second) {
        yaml = List.of(
                template.replace("FEW", "fixed-window 1/d from-first")
                        .replace("MANY", "fixed-window 1000001/d from-first")
                        .replace("NONE", "blocked")
                        .replace("ALL", "unlimited")
                        .replace("TEXT", "1000001/d"),
                template.replace("MANY", "fixed-window 1/d from-first")
                        .replace("FEW", "fixed-window 1000002/d from-first")
                        .replace("ALL", "blocked")
                        .replace("NONE", "unlimited")
                        .replace("TEXT", "1000002/d"));
        policies = yaml.stream().map(EngineTests::policies).toList();
        violated = List.of(first.toString(), second.toString());
    }

    /** Two versions of policies that count in the shared store. */
    static PolicyVersions counted() {
        return new PolicyVersions(COUNTED, List.of("few"), List.of("many"));
    }

    /** The same with policies that do not count, or that count in each process. */
    static PolicyVersions all() {
        return new PolicyVersions(
                COUNTED + UNCOUNTED, List.of("few", "none", "own-few"), List.of("many", "all", "own-many"));
    }

    private static final String COUNTED = """
            - { name: text, limit: TEXT }
            - { name: text-by-tenant, key: [tenant], limit: TEXT }
            - { name: few, match: { tenant: "*" }, limit: FEW }
            - { name: many, match: { tenant: "*" }, limit: MANY }
            """;
    private static final String UNCOUNTED = """
            - { name: none, match: { tenant: "*" }, limit: NONE }
            - { name: all, match: { tenant: "*" }, limit: ALL }
            - { name: own-text, limit: TEXT, scope: process }
            - { name: own-few, match: { tenant: "*" }, limit: FEW, scope: process }
            - { name: own-many, match: { tenant: "*" }, limit: MANY, scope: process }
            """;

    Policies policies(int version) {
        return policies.get(version);
    }

    String file(int version) {
        return "version: 1\npolicies:\n" + yaml.get(version);
    }

    /** Policies with the same names that allow a request; the request uses up the small limits. */
    Policies beginning() {
        return EngineTests.policies(yaml.get(0)
                .replace("blocked", "unlimited")
                .replace("limit: fixed-window 1/d", "limit: fixed-window 1000000/d"));
    }

    static void useUp(PolicyEngine engine) {
        assertThat(engine.check(REQUEST).allowed()).isTrue();
    }

    /** Whether an engine decides a request by this version. */
    boolean decides(PolicyEngine engine, int version) {
        return of(engine.check(REQUEST), false) == version;
    }

    /** The version that made this decision; -1 if no single version did. */
    private int of(PolicyDecision decision, boolean allowed) {
        String texts = decision.results().stream()
                .filter(result -> result.policy().contains("text"))
                .map(result -> result.limit().toString())
                .distinct()
                .collect(Collectors.joining());
        for (int version = 0; version < 2; version++) {
            boolean denies = decision.violated().toString().equals(violated.get(version));
            if (texts.equals("token-bucket 100000" + (version + 1) + "/d") && (allowed ? decision.allowed() : denies)) {
                return version;
            }
        }
        return -1;
    }

    /**
     * Makes requests on several threads while the policies change. Goes on until each version has decided a request: on
     * a busy machine, the threads run rarely.
     *
     * @param change gets its number, from 1
     * @return the number of decisions of each version
     */
    Map<Integer, Long> during(List<PolicyEngine> engines, int changes, IntConsumer change) throws Exception {
        QuietLog.warningsOnly();
        AtomicBoolean done = new AtomicBoolean();
        Map<Integer, Long> seen = new ConcurrentHashMap<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<?>> asking = new ArrayList<>();
            for (PolicyEngine engine : engines) {
                asking.add(threads.submit(() -> ask(engine, done, seen, false)));
                asking.add(threads.submit(() -> ask(engine, done, seen, true)));
            }
            try {
                long start = System.nanoTime();
                for (int i = 1; i <= changes || seen.size() < yaml.size(); i++) {
                    if (asking.stream().anyMatch(Future::isDone)) {
                        break; // It has failed, and says why below.
                    }
                    assertThat(i <= changes || System.nanoTime() - start < LONG_NANOS)
                            .as("after %s changes, seen are only %s", i - 1, seen)
                            .isTrue();
                    change.accept(i);
                }
            } finally {
                done.set(true);
            }
            for (Future<?> each : asking) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        return seen;
    }

    private void ask(PolicyEngine engine, AtomicBoolean done, Map<Integer, Long> seen, boolean async) {
        for (int i = 0; !done.get(); i++) {
            boolean allowed = i % 4 == 0;
            Map<String, String> request = allowed ? ALLOWED : REQUEST;
            PolicyDecision decision =
                    async ? engine.checkAsync(request, 1).toCompletableFuture().join() : engine.check(request);
            int version = of(decision, allowed);
            assertThat(version).as("the version of %s", decision).isNotNegative();
            seen.merge(version, 1L, Long::sum);
        }
    }
}
