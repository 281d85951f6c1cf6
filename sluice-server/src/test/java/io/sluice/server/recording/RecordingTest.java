package io.sluice.server.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.policy.Policies;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyEngine;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The recording of requests, and its replay. */
class RecordingTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final ManualTime time = new ManualTime();
    private final PolicyEngine engine =
            PolicyEngine.builder().policies(policies("5/s")).time(time).build();
    private final Recording recording = new Recording(time, engine::attributes);

    @AfterEach
    void close() {
        engine.close();
    }

    private static Policies policies(String limit) {
        return Policies.parse(
                "version: 1\npolicies:\n  - { name: per-tenant, key: [tenant], limit: " + limit + " }\n", "test");
    }

    private static String tenant(RecordedRequest request) {
        return Objects.requireNonNull(request.attributes().get("tenant"));
    }

    private PolicyDecision send(String tenant) {
        Map<String, String> attributes = Map.of("tenant", tenant, "secret", "not recorded");
        PolicyDecision decision = engine.check(attributes, 1);
        recording.decided(attributes, 1, decision);
        return decision;
    }

    @Test
    void request_isRecordedWithTheAttributesThatPoliciesUse() {
        send("a");
        recording.decided(Map.of("tenant", "look"), 0, engine.check(Map.of("tenant", "look"), 0));

        assertThat(recording.content().requests())
                .containsExactly(new RecordedRequest(time.wallMicros(), Map.of("tenant", "a"), 1, true, List.of()));
        assertThat(recording.content().share()).isEqualTo(1);
    }

    @Test
    void recording_isBoundedInNumberSizeAndTime() {
        for (int i = 0; i < 200; i++) {
            for (int j = 0; j < 100; j++) {
                send("t" + j);
            }
            time.advance(Duration.ofSeconds(1));
        }
        assertThat(recording.content().requests()).hasSize(Recording.MAX_REQUESTS);
        send("x".repeat(Recording.MAX_CHARACTERS));
        assertThat(recording.content().requests())
                .noneMatch(request -> tenant(request).startsWith("x"));
        time.advance(Duration.ofMinutes(16));
        assertThat(recording.content().requests()).isEmpty();
    }

    @Test
    void muchTraffic_isSampledByClient_wholeClientsAreRecorded() {
        int rounds = 30;
        for (int i = 0; i < rounds; i++) {
            for (int tenant = 0; tenant < 1000; tenant++) {
                send("t" + tenant);
            }
            time.advance(Duration.ofSeconds(1));
        }
        Recording.Content content = recording.content();
        assertThat(content.share()).isLessThan(0.5).isPositive();
        long last = time.wallMicros() - 10_000_000;
        Map<String, Integer> perTenant = new HashMap<>();
        content.requests().stream()
                .filter(request -> request.micros() >= last)
                .forEach(request -> perTenant.merge(tenant(request), 1, Integer::sum));
        assertThat(perTenant).isNotEmpty();
        long whole = perTenant.values().stream().filter(count -> count == 10).count();
        assertThat(whole).as("of %d", perTenant.size()).isGreaterThan(perTenant.size() * 9L / 10);

        for (int i = 0; i < 20; i++) {
            for (int tenant = 0; tenant < 1000; tenant += 100) {
                send("t" + tenant);
            }
            send("t1");
            time.advance(Duration.ofSeconds(1));
        }
        for (int i = 0; i < 30; i++) {
            for (int tenant = 0; tenant < 40; tenant++) {
                send("u" + tenant);
            }
            time.advance(Duration.ofSeconds(1));
        }
        assertThat(recording.content().share()).as("a part of it is a sample").isLessThan(0.5);
        time.advance(Duration.ofMinutes(15));
        send("u1");
        assertThat(recording.content().share()).as("little traffic again").isEqualTo(1);
    }

    @Test
    void replay_saysWhatOtherPoliciesWouldHaveDecided() {
        for (int i = 0; i < 10; i++) {
            send("a");
            send(i % 2 == 0 ? "b" : "c");
        }
        Replay.Result stricter = new Replay(engine.policies(), policies("fixed-window 2 per 1h from-first"), PATIENCE)
                .run(recording.content());
        assertThat(stricter.replayed()).isEqualTo(20);
        assertThat(stricter.allowedBefore()).isEqualTo(15);
        assertThat(stricter.allowedAfter()).isEqualTo(6);
        assertThat(stricter.newlyDenied()).isEqualTo(9);
        assertThat(stricter.newlyAllowed()).isZero();
        Replay.PolicyChange change = Objects.requireNonNull(stricter.policies().get("per-tenant"));
        assertThat(change.deniedBefore()).isEqualTo(5);
        assertThat(change.deniedAfter()).isEqualTo(14);
        assertThat(change.newlyDenied()).isEqualTo(9);
        assertThat(stricter.examples())
                .hasSize(9)
                .allMatch(example -> example.violatedBefore().isEmpty());
        assertThat(stricter.note()).isNull();

        Replay.Result looser = new Replay(engine.policies(), policies("unlimited"), PATIENCE).run(recording.content());
        assertThat(looser.newlyAllowed()).isEqualTo(5);
        assertThat(looser.newlyDenied()).isZero();
        assertThat(Objects.requireNonNull(looser.policies().get("per-tenant")).newlyAllowed())
                .isEqualTo(5);
    }

    @Test
    void replay_usesTheTimesOfTheRequests() {
        for (int i = 0; i < 20; i++) {
            assertThat(send("a").allowed()).isTrue();
            time.advance(Duration.ofMillis(200));
        }
        Replay.Result same = new Replay(engine.policies(), policies("5/s burst 1"), PATIENCE).run(recording.content());
        assertThat(same.allowedBefore()).isEqualTo(20);
        assertThat(same.allowedAfter()).isEqualTo(20);
    }

    @Test
    void replay_leavesOutWhatLimitsConcurrency_andSaysSo() {
        send("a");
        Replay.Result result =
                new Replay(engine.policies(), policies("concurrency 5"), PATIENCE).run(recording.content());
        assertThat(result.replayed()).isEqualTo(1);
        assertThat(result.allowedAfter()).isEqualTo(1);
        assertThat(result.note())
                .startsWith(
                        "Policies that limit concurrency are left out, because the recording does not say how long each request was"
                                + " in flight: per-tenant.");
    }

    @Test
    void replay_ofNothing_andOfUnknownAttributes_saysSo() {
        assertThat(new Replay(engine.policies(), policies("1/s"), PATIENCE)
                        .run(recording.content())
                        .note())
                .contains("Nothing was recorded");
        send("a");
        Policies byUser =
                Policies.parse("version: 1\npolicies:\n  - { name: per-user, key: [user], limit: 1/s }\n", "test");
        assertThat(new Replay(engine.policies(), byUser, PATIENCE)
                        .run(recording.content())
                        .note())
                .contains("attributes that only the new policies use: user");
        assertThat(new Replay(engine.policies(), byUser, Duration.ofNanos(-1))
                        .run(recording.content())
                        .note())
                .contains("took too long");
        assertThat(Set.of("tenant")).isEqualTo(engine.attributes());
    }
}
