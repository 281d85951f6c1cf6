package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.RateLimiter;
import io.sluice.memory.MemoryStore;
import io.sluice.spi.LimiterSpec;
import io.sluice.spi.PolicyStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests and limiters while the policies are replaced. */
class PolicyEngineReloadTest {
    private static final Map<String, String> REQUEST = Map.of("tenant", "acme");

    private final MemoryStore memory = MemoryStore.create();
    private final List<String> held = new ArrayList<>();
    private Runnable beforeEnforcing = () -> {};
    private Runnable afterEnforcing = () -> {};
    private PolicyEngine engine = PolicyEngine.builder()
            .store(store())
            .policies(policies("10/h", "free"))
            .build();

    @AfterEach
    void close() {
        engine.close();
        memory.close();
    }

    private static Policies policies(String limit, String second) {
        return EngineTests.policies(
                "- { name: counted, limit: " + limit + " }\n- { name: " + second + ", limit: 5/h }\n");
    }

    private PolicyStore store() {
        return (PolicyStore) Proxy.newProxyInstance(
                PolicyStore.class.getClassLoader(), new Class<?>[] {PolicyStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("enforce")) {
                        beforeEnforcing.run();
                    } else if (method.getName().equals("release")) {
                        limiters(arguments[0]).forEach(limiter -> held.remove(limiter.name()));
                    }
                    try {
                        Object answer = method.invoke(memory, arguments);
                        if (method.getName().equals("limiters")) {
                            limiters(answer).forEach(limiter -> held.add(limiter.name()));
                        } else if (method.getName().equals("enforce")) {
                            afterEnforcing.run();
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @SuppressWarnings("unchecked")
    private static List<RateLimiter> limiters(Object list) {
        return (List<RateLimiter>) list;
    }

    private static <T> T onAnotherThread(Supplier<T> asked) {
        return CompletableFuture.supplyAsync(asked)
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
    }

    /** The version that decides each request, in the middle of a change. */
    private List<String> limits(Supplier<PolicyDecision> asked) {
        return onAnotherThread(asked).results().stream()
                .map(result -> result.policy() + " " + result.limit())
                .toList();
    }

    @Test
    void check_beforeTheNewLimitsAreInForce_usesTheOldVersionAtOnce() {
        List<List<String>> seen = new ArrayList<>();
        beforeEnforcing = () -> {
            seen.add(limits(() -> engine.check(REQUEST)));
            seen.add(limits(
                    () -> engine.checkAsync(REQUEST, 1).toCompletableFuture().join()));
        };
        engine.replace(policies("20/h", "other"));
        assertThat(seen).hasSize(2).containsOnly(List.of("counted token-bucket 10/h", "free token-bucket 5/h"));
    }

    @Test
    void check_afterTheNewLimitsAreInForce_usesTheNewVersionAtOnce() {
        List<List<String>> seen = new ArrayList<>();
        afterEnforcing = () -> {
            seen.add(limits(() -> engine.check(REQUEST)));
            seen.add(limits(
                    () -> engine.checkAsync(REQUEST, 1).toCompletableFuture().join()));
            PolicyRequest request = new PolicyRequest(REQUEST, 1);
            seen.add(limits(
                    () -> engine.check(List.of(request), List.of()).each().get(0)));
        };
        engine.replace(policies("20/h", "other"));
        assertThat(seen).hasSize(3).containsOnly(List.of("counted token-bucket 20/h", "other token-bucket 5/h"));
    }

    @Test
    void view_ofAnOldVersion_decidesByItOrThrows() {
        PolicyView before = engine.view();
        engine.replace(policies("10/h", "other"));
        PolicyRequest request = new PolicyRequest(REQUEST, 1);
        assertThat(engine.check(before, List.of(request), List.of())
                        .each()
                        .get(0)
                        .results())
                .as("its limits are in force still")
                .extracting(PolicyResult::policy)
                .containsExactly("counted", "free");

        engine.replace(policies("20/h", "other"));
        assertThat(engine.checkAsync(before, List.of(request), List.of()).toCompletableFuture())
                .isCompletedExceptionally();
        PolicyView after = engine.viewAfter(before).toCompletableFuture().join();
        assertThat(after.version()).isEqualTo(engine.version());
        assertThat(engine.check(after, List.of(request), List.of())
                        .each()
                        .get(0)
                        .results()
                        .get(0)
                        .decision()
                        .remaining())
                .as("nothing was taken by the view that was outdated")
                .isEqualTo(18);
    }

    @Test
    void replace_removedPolicies_releasesTheirLimiters() {
        assertThat(held).containsOnlyOnce("counted", "free").doesNotContain("other");
        engine.replace(policies("20/h", "other"));
        assertThat(held).containsOnlyOnce("counted", "other").doesNotContain("free");
        engine.close();
        assertThat(held).isEmpty();
    }

    @Test
    void replace_preparesLimitersBeforeTheyAreInForce() {
        List<List<String>> made = new ArrayList<>();
        beforeEnforcing = () -> made.add(List.copyOf(held));
        engine.replace(policies("20/h", "other"));
        assertThat(made.get(0)).contains("counted", "free", "other");
        assertThat(memory.limiters(List.<LimiterSpec>of())).isEmpty();
    }
}
