package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.redis.RedisStore;
import io.sluice.spi.EditionConflictException;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.MachineSpeed;
import io.sluice.testkit.redis.RedisProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Policies that are published through Redis, to two engines that act as two processes. */
class PolicyEnginePublishIT {
    private RedisProcess redis;
    private RedisStore store;
    private RedisStore otherStore;
    private PolicyEngine engine;
    private PolicyEngine other;

    @BeforeEach
    void start() {
        redis = RedisProcess.start();
        store = PolicyRedis.patient().uri(redis.uri()).prefix("sluice").build();
        otherStore = PolicyRedis.patient().uri(redis.uri()).prefix("sluice").build();
        engine = engine(store);
        other = engine(otherStore);
    }

    @AfterEach
    void stop() {
        engine.close();
        other.close();
        store.close();
        otherStore.close();
        redis.close();
    }

    private static PolicyEngine engine(RedisStore store) {
        return PolicyEngine.builder()
                .store(store)
                .policies(Policies.parse(limit(10), "first"))
                .published()
                .build();
    }

    private static String limit(int permits) {
        return "version: 1\npolicies: [{ name: all, limit: sliding-log " + permits + " per 1d }]\n";
    }

    private static long remaining(PolicyEngine engine) {
        return engine.check(Map.of(), 0).results().get(0).decision().remaining();
    }

    @Test
    void publish_inOneProcess_isInForceInTheOtherWithinASecondAndKeepsUse() {
        engine.check(Map.of(), 4);
        assertThat(engine.version()).isZero();
        List<Duration> times = new ArrayList<>();
        try (MachineSpeed speed = new MachineSpeed()) {
            for (int i = 1; i <= 3; i++) {
                int edition = i;
                assertThat(engine.publish(limit(10 + i), i - 1)).isEqualTo(i);
                assertThat(engine.version()).as("here at once").isEqualTo(i);
                times.add(Eventually.await("in force there", () -> other.version() == edition));
                assertThat(remaining(engine)).isEqualTo(6 + i);
                assertThat(remaining(other)).isEqualTo(6 + i);
            }
            assertThat(Collections.min(times))
                    .as("the fastest of three, scaled to the speed of this machine")
                    .isLessThan(speed.scale(Duration.ofSeconds(1)));
        }
    }

    @Test
    void publish_afterAnotherPublication_isAConflict() {
        engine.publish(limit(11), 0);
        EditionConflictException conflict =
                catchThrowableOfType(EditionConflictException.class, () -> other.publish(limit(12), 0));
        assertThat(conflict.latest()).isEqualTo(1);
        assertThat(remaining(engine)).isEqualTo(11);
        assertThat(other.publish(limit(12), 1)).isEqualTo(2);
    }

    @Test
    void publish_badPolicies_areRefusedAndNothingIsPublished() {
        assertThatThrownBy(() -> engine.publish("version: 1\npolicies: [x]\n", 0))
                .isInstanceOf(PolicyException.class)
                .hasMessageStartingWith("policies:2:12: error: ");
        assertThat(store.publication("policies").latest().toCompletableFuture().join())
                .isEmpty();
        assertThat(remaining(engine)).isEqualTo(10);
    }

    @Test
    void badEdition_isRefusedAndTheOldOneStays() {
        engine.publish(limit(11), 0);
        store.publication("policies")
                .publish("nonsense", 1)
                .toCompletableFuture()
                .join();
        assertThat(remaining(engine)).isEqualTo(11);
        assertThat(engine.version()).isEqualTo(1);
        engine.publish(limit(12), 2);
        Eventually.await("mended", () -> other.version() == 3);
        assertThat(remaining(other)).isEqualTo(12);
    }

    @Test
    void restart_usesThePublishedEditionNotTheFile(@TempDir Path folder) throws IOException {
        engine.publish(limit(11), 0);
        Path file = Files.writeString(folder.resolve("policies.yaml"), limit(99));
        try (RedisStore fresh =
                        PolicyRedis.patient().uri(redis.uri()).prefix("sluice").build();
                PolicyEngine restarted = PolicyEngine.builder()
                        .store(fresh)
                        .file(file)
                        .published()
                        .build()) {
            Eventually.await("the edition is in force", () -> restarted.version() == 1);
            assertThat(remaining(restarted)).isEqualTo(11);
            assertThat(remaining(engine)).as("the file has changed nothing").isEqualTo(11);
        }
    }

    @Test
    void flushall_doesNotLoseTheEdition() {
        engine.publish(limit(11), 0);
        Eventually.await("in force there", () -> other.version() == 1);
        redis.command("FLUSHALL");
        Eventually.await(
                "brought again",
                () -> redis.command("EXISTS", "sluice:{config}:published:policies")
                        .equals("1"));
        assertThat(store.publication("policies").latest().toCompletableFuture().join())
                .hasValueSatisfying(edition -> {
                    assertThat(edition.number()).isEqualTo(1);
                    assertThat(edition.text()).isEqualTo(limit(11));
                });
        assertThat(other.publish(limit(12), 1)).as("and goes on from there").isEqualTo(2);
    }

    @Test
    void replace_ofPublishedPolicies_isRefused() {
        assertThatThrownBy(() -> engine.replace(Policies.parse(limit(11), "test")))
                .isInstanceOf(IllegalStateException.class);
        try (PolicyEngine alone = PolicyEngine.builder().build()) {
            assertThatThrownBy(() -> alone.publish(limit(11), 0)).isInstanceOf(IllegalStateException.class);
        }
    }
}
