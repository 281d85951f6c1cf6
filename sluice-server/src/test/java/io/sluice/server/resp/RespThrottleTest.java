package io.sluice.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.memory.MemoryStore;
import io.sluice.server.wire.RespClient;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RespThrottleTest {
    private final ManualTime time = new ManualTime();
    private final MemoryStore store = MemoryStore.builder().time(time).build();
    private final RespServer server = RespServer.on(store);
    private final RespClient client = server.connect();

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private List<?> throttle(String... arguments) {
        String[] command = new String[arguments.length + 1];
        command[0] = "CL.THROTTLE";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        return client.callForList(command);
    }

    @Test
    void throttle_asRedisCellDocuments() {
        assertThat(throttle("user123", "15", "30", "60", "1")).isEqualTo(List.of(0L, 16L, 15L, -1L, 2L));
        assertThat(throttle("user123", "15", "30", "60", "15")).isEqualTo(List.of(0L, 16L, 0L, -1L, 32L));
        assertThat(throttle("user123", "15", "30", "60")).isEqualTo(List.of(1L, 16L, 0L, 2L, 32L));
        assertThat(throttle("user123", "15", "30", "60", "17")).isEqualTo(List.of(1L, 16L, 0L, -1L, 32L));
        assertThat(throttle("user123", "15", "30", "60", "0")).isEqualTo(List.of(0L, 16L, 0L, -1L, 32L));
        time.advance(Duration.ofSeconds(2));
        assertThat(throttle("user123", "15", "30", "60")).isEqualTo(List.of(0L, 16L, 0L, -1L, 32L));
    }

    @Test
    void throttle_negativeQuantity_givesBackWhatWasTaken() {
        throttle("k", "9", "1", "1", "8");
        assertThat(throttle("k", "9", "1", "1", "-3")).isEqualTo(List.of(0L, 10L, 5L, -1L, 5L));
        assertThat(throttle("k", "9", "1", "1", "-9223372036854775808")).isEqualTo(List.of(0L, 10L, 10L, -1L, 0L));
    }

    @Test
    void throttle_lessThanAMillisecondLeft_isStillASecond() {
        throttle("k", "0", "1000", "1");
        time.advance(Duration.ofNanos(999_000));
        assertThat(throttle("k", "0", "1000", "1")).isEqualTo(List.of(1L, 1L, 0L, 1L, 1L));
    }

    @Test
    void throttle_withAnotherLimit_keepsTheUse() {
        throttle("k", "9", "1", "60", "7");
        assertThat(throttle("k", "19", "1", "60")).isEqualTo(List.of(0L, 20L, 12L, -1L, 480L));
    }

    @Test
    void throttle_withManyLimits_countsCorrectly_andLeavesNoState() {
        throttle("k", "9", "1", "3600", "7");
        int limits = 10_100;
        StringBuilder pipeline = new StringBuilder();
        for (int i = 1; i <= limits; i++) {
            pipeline.append(RespClient.command("CL.THROTTLE", "other" + i, "9", "" + i, "60"));
        }
        Thread sender = new Thread(() -> client.send(pipeline.toString()));
        sender.start();
        for (int i = 1; i <= limits; i++) {
            assertThat(client.read()).asString().startsWith("[0, 10, 9, -1, ");
        }
        assertThat(store.size()).isEqualTo(limits + 1);
        assertThat(throttle("k", "9", "1", "3600").subList(0, 3)).isEqualTo(List.of(0L, 10L, 2L));
        time.advance(Duration.ofHours(24));
        assertThat(store.size()).isZero();
    }

    @Test
    void throttle_longestPeriod_isAMonth() {
        assertThat(throttle("k", "0", "1", "2678400")).isEqualTo(List.of(0L, 1L, 0L, -1L, 2678400L));
    }

    @Test
    void throttle_refundUnderAnotherLimit_refundsTheUseOfTheKey() {
        throttle("k", "9", "1", "60", "7");
        assertThat(throttle("k", "19", "1", "60", "-3").subList(0, 3)).isEqualTo(List.of(0L, 20L, 16L));
    }

    @Test
    void throttle_withANegativeBurst_isAlwaysDenied() {
        assertThat(throttle("k", "-1", "1", "1")).isEqualTo(List.of(1L, 0L, 0L, -1L, 0L));
        assertThat(throttle("k", "-1", "1", "1", "0")).isEqualTo(List.of(0L, 0L, 0L, -1L, 0L));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "k | Usage: cl.throttle <key> <max_burst> <count per period> <period> [<quantity>]",
                "k 1 1 1 1 1 | Usage: cl.throttle <key> <max_burst> <count per period> <period> [<quantity>]",
                "k x 1 1 | Couldn't parse as integer: x",
                "k 1 1.5 1 | Couldn't parse as integer: 1.5",
                "k 1 1 1e3 | Couldn't parse as integer: 1e3",
                "k 1 1 1 99999999999999999999 | Couldn't parse as integer: 99999999999999999999",
                "k 1 0 1 | Zero rates are not supported",
                "k 1 1 0 | Zero rates are not supported",
                "k 1 -1 1 | count: -1 (expected: at least 1)",
                "k 1 1 -1 | period: -1 (expected: at least 1)",
                "k 1 1 2678401 | period: 2678401 (expected: at most 2678400 seconds, as the setting max-call-period says)",
                "k 1 1 9223372036854775807 | period: 9223372036854775807 (expected: at most 2678400 seconds, as the"
                        + " setting max-call-period says)",
                "k 9223372036854775807 1 1 | max_burst: 9223372036854775807 (expected: less)",
            })
    void throttle_badArguments_areRefused(String arguments, String message) {
        assertThat(client.call(("CL.THROTTLE " + arguments).split(" "))).isEqualTo("-ERR Cell error: " + message);
        assertThat(client.call("PING")).isEqualTo("PONG");
    }

    @Test
    void throttle_numbersThatCannotBeExact_areRefused() {
        assertThat(client.call("CL.THROTTLE", "k", "1", "1", "99999999999"))
                .asString()
                .startsWith("-ERR Cell error: ")
                .contains("(expected: at most ");
        assertThat(client.call("CL.THROTTLE", "k", "5000000000", "1", "1000000"))
                .asString()
                .startsWith("-ERR Cell error: ")
                .contains("(expected: at most ");
    }

    @Test
    void throttle_randomTracesInMilliseconds_agreeWithRedisCell() {
        compare(new Random(11), 1000, 0);
    }

    @Test
    void throttle_randomTracesInMicroseconds_agreeExceptForRounding() {
        compare(new Random(12), 1, 1);
    }

    /** @param mayDiffer how many seconds more than redis-cell, which drops fractions of a millisecond */
    private void compare(Random random, long stepMicros, long mayDiffer) {
        for (int trace = 0; trace < 40; trace++) {
            long count = List.of(1L, 2L, 5L, 10L, 100L, 250L, 1000L).get(random.nextInt(7));
            long period = random.nextLong(1, 21);
            long maxBurst = random.nextInt(20);
            GcraModel model = new GcraModel(maxBurst, count, period);
            long interval = period * 1_000_000 / count;
            for (int i = 0; i < 100; i++) {
                long steps = random.nextLong(Math.max(1, 2 * interval / stepMicros));
                time.advance(Duration.ofNanos(steps * stepMicros * 1000));
                String key = "key " + trace + (char) ('a' + random.nextInt(2));
                long quantity = random.nextInt(5) == 0 ? random.nextLong(maxBurst + 3) : random.nextLong(3);
                List<Long> expected = model.throttle(key, quantity, time.micros() * 1000);
                List<?> actual = throttle(key, "" + maxBurst, "" + count, "" + period, "" + quantity);
                assertThat(actual.subList(0, 3)).isEqualTo(expected.subList(0, 3));
                List<Long> more = new ArrayList<>();
                for (int k = 3; k < 5; k++) {
                    more.add((Long) actual.get(k) - expected.get(k));
                }
                assertThat(more).as("%s %s", actual, expected).allMatch(by -> by >= 0 && by <= mayDiffer);
            }
        }
    }
}
