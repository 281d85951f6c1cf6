package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Store;
import io.sluice.testkit.ManualTime;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;

/**
 * Random policies and requests, decided by an engine and by the naive one, with whole decisions compared. What fails says
 * its seed; {@code -Dsluice.seed=n} runs that one alone.
 */
final class EngineDifferential {
    private EngineDifferential() {}

    /** Runs the seeds from there on; returns how many requests were denied by some policies but not by all. */
    static int run(long from, int worlds, int requests, Function<ManualTime, Store> stores) {
        Quiet.please();
        Long only = Long.getLong("sluice.seed");
        int mixed = 0;
        for (long seed = only == null ? from : only; seed < (only == null ? from + worlds : only + 1); seed++) {
            mixed += run(seed, requests, stores);
        }
        return mixed;
    }

    private static int run(long seed, int requests, Function<ManualTime, Store> stores) {
        Random random = new Random(seed);
        RandomPolicies worlds = new RandomPolicies(random);
        ManualTime time = new ManualTime();
        NaiveEngine naive = new NaiveEngine();
        Policies policies = worlds.policies();
        naive.replace(policies, time.micros());
        int mixed = 0;
        PolicyEngine.Builder builder = PolicyEngine.builder()
                .policies(policies)
                .store(stores.apply(time))
                .time(time);
        try (PolicyEngine engine = builder.build()) {
            for (int i = 0; i < requests; i++) {
                time.advanceMicros(step(random));
                if (random.nextInt(25) == 0) {
                    policies = worlds.policies();
                    engine.replace(policies);
                    naive.replace(policies, time.micros());
                }
                Map<String, String> request = worlds.request();
                long permits = permits(random);
                Seen expected = naive.check(request, permits, time.micros());
                Seen seen = Seen.of(
                        random.nextBoolean()
                                ? engine.check(request, permits)
                                : engine.checkAsync(request, permits)
                                        .toCompletableFuture()
                                        .join());
                assertThat(seen)
                        .as("-Dsluice.seed=%d, request %d: %d of %s under %s", seed, i, permits, request, policies)
                        .isEqualTo(expected);
                mixed += isMixed(expected) ? 1 : 0;
            }
        }
        return mixed;
    }

    private static boolean isMixed(Seen seen) {
        return !seen.allowed()
                && seen.results().stream().anyMatch(result -> result.decision().allowed());
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
