package io.sluice.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.CommandRun;
import io.sluice.cli.EmptyRedis;
import io.sluice.cli.PolicyFixtures;
import io.sluice.testkit.redis.RedisCluster;
import io.sluice.testkit.redis.RedisProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The output of policies on Redis is byte for byte the same as in memory, and no keys remain. */
class SimulateConfigRedisIT {
    @RegisterExtension
    static final EmptyRedis REDIS = new EmptyRedis();

    @TempDir
    Path directory;

    private static void assertSameAsOnMemory(Path file, String requests, String uri) {
        CommandRun onMemory = PolicyFixtures.simulate(file, requests);

        CommandRun onRedis = PolicyFixtures.simulate(file, requests, "--store", uri);

        assertThat(onRedis.out().lines().toList())
                .isEqualTo(onMemory.out().lines().toList());
        assertThat(onRedis).isEqualTo(onMemory);
        assertThat(onMemory.exitCode()).isZero();
    }

    private Path policies() {
        return PolicyFixtures.file(directory, "policies.yaml", RandomRequests.POLICIES);
    }

    @Test
    void requests_thatAreRandom_areDecidedAsOnMemory() {
        for (long seed = 0; seed < 4; seed++) {
            assertSameAsOnMemory(policies(), RandomRequests.of(seed, 6_000), REDIS.uri());
        }
    }

    @Test
    void policies_thatEachProcessHasForItself_areDecidedAsOnMemory() {
        Path mixed = PolicyFixtures.file(
                directory,
                "mixed.yaml",
                RandomRequests.POLICIES
                        + "  - { name: own, key: [tenant], limit: sliding-log 3/s lockout 1s, scope: process }\n"
                        + "  - { name: bucket, limit: 30/s, scope: process }\n");

        assertSameAsOnMemory(mixed, RandomRequests.of(5, 3_000), REDIS.uri());
    }

    @Test
    void cluster_decidesAsMemory_andKeepsNothing() {
        try (RedisCluster cluster = RedisCluster.start(3, 0)) {
            assertSameAsOnMemory(
                    policies(), RandomRequests.of(6, 1_500), cluster.uris().get(0));

            assertThat(cluster.nodes()).allSatisfy(EmptyRedis::assertEmpty);
        }
    }

    @Test
    void diff_isTheSame() {
        Path file = policies();
        Path other = PolicyFixtures.file(
                directory,
                "other.yaml",
                RandomRequests.POLICIES.replace("burst 6", "burst 3").replace("5 per 1m", "9 per 1m"));
        String requests = RandomRequests.of(7, 4_000);

        CommandRun onMemory = PolicyFixtures.simulate(file, requests, "--diff", other.toString());

        assertThat(PolicyFixtures.simulate(file, requests, "--diff", other.toString(), "--store", REDIS.uri()))
                .isEqualTo(onMemory);
        assertThat(onMemory.out()).contains("by key");
    }

    @Test
    void line_thatIsBad_isRefusedAfterAllBeforeItWereWritten() {
        String requests = RandomRequests.of(8, 3_000) + "oops\n";

        assertThat(PolicyFixtures.simulate(policies(), requests, "--store", REDIS.uri()))
                .isEqualTo(PolicyFixtures.simulate(policies(), requests))
                .returns(2, CommandRun::exitCode)
                .satisfies(ran -> assertThat(ran.out()).hasLineCount(3_000));
    }

    /** Simulates one request, then runs an action, then simulates another request. */
    private CommandRun around(Runnable event, RedisProcess on) {
        String request = PolicyFixtures.request(5, 1, "tenant=a");
        return CommandRun.with(
                new ScriptedInput().then(request).then(event).then(request),
                "simulate",
                "--config",
                policies().toString(),
                "--store",
                on.uri());
    }

    @Test
    void redis_thatDiesOrForgets_endsTheRunWithWhatItDecided() {
        try (RedisProcess other = RedisProcess.start()) {
            CommandRun forgot = around(() -> other.command("FLUSHALL"), other);
            CommandRun died = around(other::kill, other);

            assertEnded(forgot, ": Redis has lost the state of this run ");
            assertEnded(died, ": Redis has failed: ");
        }
    }

    private static void assertEnded(CommandRun ran, String reason) {
        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.out()).hasLineCount(1);
        assertThat(ran.err()).contains(reason).hasLineCount(1);
    }
}
