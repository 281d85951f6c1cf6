package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Algorithm;
import io.sluice.spi.PolicyStore;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Compares the decisions of an engine with those of the naive engine, on random policies and requests. A failure prints
 * its seed; {@code -Dsluice.seed=n} runs only that seed.
 */
final class EngineDifferential {
    private static final Duration HOUR = Duration.ofHours(1);

    private EngineDifferential() {}

    /** Runs the seeds from this one; returns the number of calls that some policies denied, but not all. */
    static int run(long from, int worlds, int calls, Function<ManualTime, PolicyStore> stores) {
        QuietLog.warningsOnly();
        Long only = Long.getLong("sluice.seed");
        int mixed = 0;
        for (long seed = only == null ? from : only; seed < (only == null ? from + worlds : only + 1); seed++) {
            mixed += run(seed, calls, stores);
        }
        return mixed;
    }

    private static int run(long seed, int calls, Function<ManualTime, PolicyStore> stores) {
        Random random = new Random(seed);
        RandomPolicies worlds = new RandomPolicies(random);
        ManualTime time = new ManualTime();
        NaiveEngine naive = new NaiveEngine();
        Policies policies = worlds.policies();
        naive.replace(policies, time.micros());
        int mixed = 0;
        List<Open> open = new ArrayList<>();
        PolicyEngine.Builder builder = PolicyEngine.builder()
                .policies(policies)
                .store(stores.apply(time))
                .time(time);
        try (PolicyEngine engine = builder.build()) {
            for (int i = 0; i < calls; i++) {
                time.advanceMicros(step(random));
                if (random.nextInt(25) == 0) {
                    // A store in Redis does not settle what policies that are gone have taken.
                    open.clear();
                    policies = worlds.policies();
                    engine.replace(policies);
                    naive.replace(policies, time.micros());
                }
                List<PolicyRequest> requests = new ArrayList<>();
                for (int n = together(random); n > 0; n--) {
                    requests.add(new PolicyRequest(worlds.request(), permits(random)));
                }
                if (random.nextInt(8) == 0) {
                    PolicyRequest estimated = requests.get(0);
                    String replay = "-Dsluice.seed=%d, reserve %d: %s under %s".formatted(seed, i, estimated, policies);
                    NaiveEngine.Estimate expected = naive.reserve(estimated, time.micros());
                    PolicyReservation reserved = random.nextBoolean()
                            ? engine.reserve(estimated.attributes(), estimated.permits(), HOUR)
                            : now(engine.reserveAsync(estimated.attributes(), estimated.permits(), HOUR));
                    assertThat(DecisionSnapshot.of(reserved.decision()))
                            .as(replay)
                            .isEqualTo(expected.decision());
                    assertThat(reserved.text().isPresent()).as(replay).isEqualTo(reserved.allowed());
                    if (reserved.allowed()) {
                        open.add(new Open(reserved, expected, time.micros() + 3_600_000_000L));
                    }
                    continue;
                }
                if (random.nextInt(8) == 0 && !open.isEmpty()) {
                    settle(
                            open.remove(random.nextInt(open.size())),
                            permits(random),
                            time,
                            "-Dsluice.seed=" + seed + ", settle " + i);
                    continue;
                }
                if (random.nextInt(8) == 0) {
                    PolicyRequest cost = requests.get(0);
                    assertThat(DecisionSnapshot.of(
                                    random.nextBoolean()
                                            ? engine.charge(cost.attributes(), cost.permits())
                                            : now(engine.chargeAsync(cost.attributes(), cost.permits()))))
                            .as("-Dsluice.seed=%d, charge %d: %s under %s", seed, i, cost, policies)
                            .isEqualTo(naive.charge(cost, time.micros()));
                    continue;
                }
                List<DecisionSnapshot> expected = naive.check(requests, time.micros());
                assertThat(seen(engine, requests, random.nextBoolean()))
                        .as("-Dsluice.seed=%d, call %d: %s under %s", seed, i, requests, policies)
                        .isEqualTo(expected);
                mixed += isMixed(expected) ? 1 : 0;
            }
        }
        return mixed;
    }

    /** A reservation that is not settled yet. */
    private record Open(PolicyReservation reserved, NaiveEngine.Estimate expected, long ends) {}

    private static void settle(Open open, long actual, ManualTime time, String replay) {
        boolean charges = !open.expected().decision().results().isEmpty();
        // A receipt of a warm-up limit is void when its key was dropped, and a sweep decides when that is.
        boolean warmsUp = open.expected().asking().stream()
                .anyMatch(asked -> asked.limit().algorithm() == Algorithm.WARM_UP);
        if (warmsUp || (time.micros() >= open.ends() && charges)) {
            return;
        }
        DecisionSnapshot expected = NaiveEngine.settle(open.expected(), actual, time.micros());
        assertThat(DecisionSnapshot.of(open.reserved().settle(actual)))
                .as(replay)
                .isEqualTo(expected);
    }

    /** The number of requests that are decided together; usually one. */
    private static int together(Random random) {
        return random.nextInt(3) > 0 ? 1 : 1 + random.nextInt(4);
    }

    /**
     * The decisions of the engine on each request. A single request usually goes through the method for one request.
     */
    private static List<DecisionSnapshot> seen(PolicyEngine engine, List<PolicyRequest> requests, boolean waiting) {
        PolicyRequest first = requests.get(0);
        if (requests.size() == 1 && first.permits() != 1) {
            return List.of(DecisionSnapshot.of(
                    waiting
                            ? engine.check(first.attributes(), first.permits())
                            : now(engine.checkAsync(first.attributes(), first.permits()))));
        }
        PolicyDecisions decisions =
                waiting ? engine.check(requests, List.of()) : now(engine.checkAsync(requests, List.of()));
        assertThat(decisions.allowed()).isEqualTo(decisions.each().stream().allMatch(PolicyDecision::allowed));
        return decisions.each().stream().map(DecisionSnapshot::of).toList();
    }

    private static <T> T now(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static boolean isMixed(List<DecisionSnapshot> seen) {
        return seen.stream().anyMatch(each -> !each.allowed())
                && seen.stream()
                        .flatMap(each -> each.results().stream())
                        .anyMatch(result -> result.decision().allowed());
    }

    private static long permits(Random random) {
        return switch (random.nextInt(12)) {
            case 0 -> 0;
            case 1 -> 5;
            case 2 -> 100;
            case 3 -> random.nextInt(4) == 0 ? Long.MAX_VALUE : 3;
            default -> 1 + random.nextInt(2);
        };
    }

    private static long step(Random random) {
        return switch (random.nextInt(6)) {
            case 0, 1, 2 -> 0;
            case 3 -> random.nextInt(10_000);
            case 4 -> random.nextInt(2_000_000);
            default -> random.nextInt(20) == 0 ? 3_600_000_000L : random.nextInt(60_000_000);
        };
    }
}
