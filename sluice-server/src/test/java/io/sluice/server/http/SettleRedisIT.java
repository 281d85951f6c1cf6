package io.sluice.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.redis.RedisStore;
import io.sluice.testkit.ManualTime;
import io.sluice.testkit.redis.RedisProcess;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Replicas on one Redis reserve and settle. */
class SettleRedisIT {
    private static RedisProcess redis;
    private static RedisStore firstStore;
    private static RedisStore secondStore;
    private static SettleServer first;
    private static SettleServer second;

    @BeforeAll
    static void start() {
        redis = RedisProcess.start();
        // Long deadlines, so that Redis decides on a busy machine too.
        firstStore = store(Duration.ofMinutes(1));
        secondStore = store(Duration.ofMinutes(1));
        first = new SettleServer(firstStore);
        second = new SettleServer(secondStore);
    }

    private static RedisStore store(Duration deadline) {
        return RedisStore.builder().uri(redis.uri()).deadline(deadline).build();
    }

    @AfterAll
    static void end() {
        first.close();
        second.close();
        firstStore.close();
        secondStore.close();
        redis.close();
    }

    @Test
    void reservation_isSettledByAnotherReplica_once() {
        String reservation = first.reserved("shared", 60);
        HttpResponse<String> settled = second.settle(reservation, 25);

        assertThat(settled.statusCode()).isEqualTo(200);
        assertThat(settled.body()).contains("\"key\":{\"tenant\":\"shared\"}", "\"remaining\":75,");
        assertThat(first.settle(reservation, 90).statusCode()).isEqualTo(409);
        assertThat(second.settle(reservation, 90).statusCode()).isEqualTo(409);
        assertThat(first.remaining("shared")).isEqualTo(75);
    }

    /** On virtual time there is no heartbeat, so nothing else is counted. */
    @Test
    void reserveAndSettle_areOneRoundTripEach() {
        try (RedisProcess quiet = RedisProcess.start();
                RedisStore store = RedisStore.builder()
                        .uri(quiet.uri())
                        .deadline(Duration.ofMinutes(1))
                        .virtualTime(new ManualTime())
                        .build();
                SettleServer server = new SettleServer(store)) {
            assertThat(server.settle(server.reserved("warm", 1), 1).statusCode())
                    .isEqualTo(200);
            quiet.command("CONFIG", "RESETSTAT");
            String reservation = server.reserved("trips", 60);
            assertThat(quiet.calls("evalsha")).as("reserve").isEqualTo(1);
            assertThat(server.settle(reservation, 10).statusCode()).isEqualTo(200);
            assertThat(quiet.calls("evalsha")).as("and settle").isEqualTo(2);
        }
    }

    @Test
    void denied_chargesNothing_onBothPolicies() {
        HttpResponse<String> response = first.post(
                "/v1/reserve", "{\"attributes\":{\"tenant\":\"denied\",\"counted\":\"yes\"},\"permits\":101}");

        assertThat(response.body()).startsWith("{\"allowed\":false,").doesNotContain("\"reservation\"");
        assertThat(second.remaining("denied")).isEqualTo(100);
        assertThat(second.remaining("counted", "denied")).isEqualTo(50);
    }

    @Test
    void changedReservation_isRefused_andNothingChanges() {
        String reservation = first.reserved("changed", 60);
        int middle = reservation.length() / 2;
        char other = reservation.charAt(middle) == 'A' ? 'B' : 'A';
        String changed = reservation.substring(0, middle) + other + reservation.substring(middle + 1);

        assertThat(second.settle(changed, 1).statusCode()).isIn(400, 409);
        assertThat(second.remaining("changed")).isEqualTo(40);
        assertThat(second.settle(reservation, 60).statusCode()).isEqualTo(200);
    }

    @Test
    void redisDoesNotAnswer_settleIs503_andSpendsNothing() {
        try (RedisStore hastyStore = store(Duration.ofMillis(200));
                SettleServer hasty = new SettleServer(hastyStore)) {
            String reservation = first.reserved("away", 60);
            hasty.remaining("away");
            HttpResponse<String> uncounted;
            redis.pause();
            try {
                HttpResponse<String> response = hasty.settle(reservation, 10);
                assertThat(response.statusCode()).isEqualTo(503);
                assertThat(response.body()).contains("\"title\":\"Service Unavailable\"", "(expected: try again)");

                uncounted = hasty.reserve("uncounted", 30, "");
                assertThat(uncounted.body()).startsWith("{\"allowed\":true,").contains("\"degraded\":true");
            } finally {
                redis.resume();
            }
            assertThat(second.remaining("uncounted")).isEqualTo(100);
            String unknown = SettleServer.reservation(uncounted);
            assertThat(unknown.isEmpty() ? 409 : second.settle(unknown, 30).statusCode())
                    .as("nothing was counted, so there is nothing to settle")
                    .isEqualTo(409);
            assertThat(second.settle(reservation, 10).statusCode()).isEqualTo(200);
            assertThat(second.settle(reservation, 10).statusCode()).isEqualTo(409);
            assertThat(first.remaining("away")).isEqualTo(90);
        }
    }
}
