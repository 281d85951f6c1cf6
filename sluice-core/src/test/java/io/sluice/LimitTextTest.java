package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.math.BigInteger;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitTextTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    static Stream<Arguments> texts() {
        return Stream.of(
                Arguments.of("600/min", Limit.tokenBucket(600, MINUTE)),
                Arguments.of("600 / min", Limit.tokenBucket(600, MINUTE)),
                Arguments.of("  10/s\t", Limit.tokenBucket(10, SECOND)),
                Arguments.of(
                        "token-bucket 10/s burst 20",
                        Limit.tokenBucket(10, SECOND).burst(20)),
                Arguments.of(
                        "10/s lockout 1h burst 20",
                        Limit.tokenBucket(10, SECOND).burst(20).lockout(MINUTE.multipliedBy(60))),
                Arguments.of(
                        "token-bucket 2 per 5s burst 10 refill interval",
                        Limit.tokenBucket(2, Duration.ofSeconds(5)).burst(10).refill(Refill.INTERVAL)),
                Arguments.of("token-bucket 2/sec refill greedy", Limit.tokenBucket(2, SECOND)),
                Arguments.of(
                        "leaky-bucket 10/s capacity 20",
                        Limit.leakyBucket(10, SECOND).capacity(20)),
                Arguments.of("leaky-bucket 10/second", Limit.leakyBucket(10, SECOND)),
                Arguments.of(
                        "fixed-window 100 per 1m from-first",
                        Limit.fixedWindow(100, MINUTE).fromFirst(true)),
                Arguments.of("fixed-window 5 per 500ms", Limit.fixedWindow(5, Duration.ofMillis(500))),
                Arguments.of(
                        "sliding-log 5 per 1m lockout 5m",
                        Limit.slidingLog(5, MINUTE).lockout(Duration.ofMinutes(5))),
                Arguments.of(
                        "sliding-counter 1000 per 1h slots 60",
                        Limit.slidingCounter(1000, Duration.ofHours(1)).slots(60)),
                Arguments.of("sliding-counter 1000/day", Limit.slidingCounter(1000, Duration.ofDays(1))),
                Arguments.of("1 per 365d", Limit.tokenBucket(1, Duration.ofDays(365))),
                Arguments.of("1000000000/s burst 1000000000", Limit.tokenBucket(1_000_000_000, SECOND)),
                Arguments.of("18/10s", Limit.tokenBucket(18, Duration.ofSeconds(10))),
                Arguments.of(
                        "leaky-bucket 18 / 10s capacity 20",
                        Limit.leakyBucket(18, Duration.ofSeconds(10)).capacity(20)),
                Arguments.of(
                        "fixed-window 18/500ms from-first",
                        Limit.fixedWindow(18, Duration.ofMillis(500)).fromFirst(true)),
                Arguments.of("fixed-window 10 per day", Limit.calendarWindow(10, CalendarPeriod.DAY, ZoneOffset.UTC)),
                Arguments.of("fixed-window 10/day", Limit.fixedWindow(10, Duration.ofDays(1))),
                Arguments.of("fixed-window 10 per 1day", Limit.fixedWindow(10, Duration.ofDays(1))),
                Arguments.of(
                        "fixed-window 10000 per month zone Asia/Shanghai",
                        Limit.calendarWindow(10_000, CalendarPeriod.MONTH, ZoneId.of("Asia/Shanghai"))),
                Arguments.of(
                        "fixed-window 1 per week lockout 1m escalate 5 zone Europe/Berlin",
                        Limit.calendarWindow(1, CalendarPeriod.WEEK, ZoneId.of("Europe/Berlin"))
                                .lockout(MINUTE)
                                .escalate(5)),
                Arguments.of(
                        "fixed-window 1 per year zone Etc/GMT+8",
                        Limit.calendarWindow(1, CalendarPeriod.YEAR, ZoneId.of("Etc/GMT+8"))),
                Arguments.of("concurrency 64", Limit.concurrency(64)),
                Arguments.of("concurrency 64 hold 30s", Limit.concurrency(64).hold(Duration.ofSeconds(30))),
                Arguments.of("concurrency 1 hold 1m", Limit.concurrency(1)),
                Arguments.of("concurrency adaptive", Limit.adaptiveConcurrency()),
                Arguments.of(
                        "concurrency adaptive from 30",
                        Limit.adaptiveConcurrency().from(30)),
                Arguments.of(
                        "concurrency adaptive between 5 and 50 from 7",
                        Limit.adaptiveConcurrency().between(5, 50).from(7)),
                Arguments.of(
                        "concurrency adaptive between 30 and 100",
                        Limit.adaptiveConcurrency().from(30).between(30, 100)),
                Arguments.of("warm-up 100/s over 10s", Limit.warmUp(100, SECOND, Duration.ofSeconds(10))),
                Arguments.of(
                        "warm-up 7 per 3s lockout 5s over 1m escalate 10",
                        Limit.warmUp(7, Duration.ofSeconds(3), MINUTE)
                                .lockout(Duration.ofSeconds(5))
                                .escalate(10)),
                Arguments.of("unlimited", Limit.unlimited()),
                Arguments.of(" blocked ", Limit.blocked()));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void parse_validText_returnsTheLimit(String text, Limit limit) {
        assertThat(Limit.parse(text)).isEqualTo(limit);
        assertThat(Limit.parse(limit.toString())).as(limit.toString()).isEqualTo(limit);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        600/min                          | token-bucket 600/min
        10 per 1s burst 10               | token-bucket 10/s
        10 per 1000ms burst 9            | token-bucket 10/s burst 9
        1 per 60s                        | token-bucket 1/min
        1 per 90s lockout 120s           | token-bucket 1 per 90s lockout 2m
        fixed-window 3 per 24h           | fixed-window 3/d
        sliding-counter 9 per 1h slots 10| sliding-counter 9/h
        leaky-bucket 3 per 12ms          | leaky-bucket 3 per 12ms
        18/10s                           | token-bucket 18 per 10s
        18/60s                           | token-bucket 18/min
        leaky-bucket 18/1500ms           | leaky-bucket 18 per 1500ms
        fixed-window 10/day              | fixed-window 10/d
        fixed-window 10 per day zone UTC | fixed-window 10 per day
        fixed-window 9 per month zone Asia/Shanghai | fixed-window 9 per month zone Asia/Shanghai
        warm-up 100 per 1000ms over 60s  | warm-up 100/s over 1m
        warm-up 2/5s over 90s lockout 60s escalate 1 | warm-up 2 per 5s over 90s lockout 1m escalate 1
        """)
    void toString_anyLimit_usesTheShortestForm(String text, String printed) {
        assertThat(Limit.parse(text)).hasToString(printed);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        ''                            | 1  | nothing
        tocken-bucket 5/s             | 1  | "tocken-bucket"
        token-bucket                  | 13 | nothing
        token-bucket ten/s            | 14 | "ten"
        -5/s                          | 1  | "-5"
        5                             | 2  | no unit
        5/                            | 3  | no unit
        5/fortnight                   | 3  | unit "fortnight"
        5/S                           | 3  | unit "S"
        5 every 1m                    | 3  | "every"
        5 per                         | 6  | nothing
        5 per minute                  | 7  | "minute"
        5 per 1.5s                    | 7  | "1.5s"
        5 per 5                       | 7  | "5"
        5/s brust 20                  | 5  | "brust"
        5/s burst                     | 10 | nothing
        5/s burst many                | 11 | "many"
        5/s burst 5x                  | 11 | "5x"
        5/s burst 5 burst 6           | 13 | "burst" a second time
        5/s refill slowly             | 12 | "slowly"
        5/s capacity 5                | 5  | "capacity"
        leaky-bucket 5/s burst 5      | 18 | "burst"
        fixed-window 5/s slots 5      | 18 | "slots"
        5/s lockout 0s                | 13 | "0s"
        0/s                           | 1  | permits: 0
        5 per 0s                      | 7  | "0s"
        fixed-window 5 per 0s         | 20 | "0s"
        5/s burst 0                   | 11 | burst: 0
        5/s burst 99999999999999999999| 11 | 99999999999999999999
        unlimited 5/s                 | 11 | "5"
        sliding-log 100001/s          | 13 | permits: 100001
        sliding-counter 5/s slots 7   | 27 | slots: 7
        1 per 365d burst 143          | 18 | burst: 143
        1 per 9999999d                | 7  | "9999999d"
        """)
    void parse_invalidText_reportsProblemColumnAndExpectation(String text, int column, String what) {
        assertThatThrownBy(() -> Limit.parse(text))
                .isInstanceOfSatisfying(LimitSyntaxException.class, e -> {
                    assertThat(e.column()).isEqualTo(column);
                    assertThat(e.problem()).startsWith(what).contains("(expected: ");
                })
                .hasMessageStartingWith("limit \"" + text + "\", column " + column + ": " + what)
                .message()
                .doesNotContain("\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1 per 365d burst 1000000000",
                "7 per 30d burst 99999999999",
                "leaky-bucket 1/d capacity 99999999"
            })
    void parse_refillTooLong_namesTheLargestPossibleValue(String text) {
        String message = String.valueOf(catchThrowable(() -> Limit.parse(text)).getMessage());
        String largest = message.replaceAll(".*at most (\\d+).*", "$1");
        String accepted = text.replaceAll("(burst|capacity) \\d+", "$1 " + largest);
        String refused = text.replaceAll("(burst|capacity) \\d+", "$1 " + (Long.parseLong(largest) + 1));
        assertThat(Limit.parse(accepted).capacity()).isEqualTo(Long.parseLong(largest));
        assertThatThrownBy(() -> Limit.parse(refused)).hasMessageContaining("at most " + largest);
    }

    @Test
    void slidingLog_tooManyPermits_recommendsSlidingCounter() {
        assertThatThrownBy(() -> Limit.parse("sliding-log 100001 per 1h")).hasMessageContaining("sliding-counter");
        assertThat(Limit.parse("sliding-log 100000 per 1h").capacity()).isEqualTo(100_000);
    }

    @Test
    void factories_invalidArguments_areRefused() {
        assertThatThrownBy(() -> Limit.tokenBucket(5, Duration.ofNanos(1_500_000)))
                .hasMessage("period: PT0.0015S (expected: a whole number of milliseconds, at least 1ms)");
        assertThatThrownBy(() -> Limit.slidingLog(5, Duration.ofMillis(-5))).hasMessageStartingWith("window: ");
        assertThatThrownBy(() -> Limit.unlimited().lockout(SECOND)).hasMessageContaining("keeps no state");
        assertThatThrownBy(() -> Limit.parse("5/s lockout 1s").lockout(SECOND)).hasMessageContaining("once");
    }

    @Test
    void toString_randomLimits_parsesBack() {
        long seed = 7;
        Random random = new Random(seed);
        List<String> zones = List.copyOf(new TreeSet<>(ZoneId.getAvailableZoneIds()));
        for (int i = 0; i < 20_000; i++) {
            long permits = 1L + random.nextInt(1 << random.nextInt(20));
            Duration period = Duration.ofMillis(1 + random.nextInt(1 << random.nextInt(30)));
            Limit limit = switch (random.nextInt(3)) {
                case 0 ->
                    Limit.calendarWindow(
                            permits,
                            List.of(CalendarPeriod.values()).get(random.nextInt(4)),
                            ZoneId.of(zones.get(random.nextInt(zones.size()))));
                case 1 -> Limit.warmUp(permits % 1000 + 1, period, Duration.ofMillis(1 + random.nextInt(100_000)));
                default -> Limit.tokenBucket(permits, period);
            };
            if (random.nextBoolean()) {
                limit = limit.lockout(Duration.ofMillis(1 + random.nextInt(1_000_000)))
                        .escalate(random.nextInt(11));
            }
            assertThat(Limit.parse(limit.toString())).as(limit.toString()).isEqualTo(limit);
        }
    }

    @Test
    void warmUp_withinTheBoundsOfTheDesign_isAccepted() {
        long seed = 11;
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            long permits = 1L + random.nextInt(1 << random.nextInt(20));
            long periodMillis = 1L + random.nextInt(1 << random.nextInt(20));
            long perMicro = permits
                    / BigInteger.valueOf(permits)
                            .gcd(BigInteger.valueOf(periodMillis * 1000))
                            .longValueExact();
            long longest = Math.min((1L << 31) / perMicro, (1L << 45) / (2 * perMicro * perMicro)) / 1000;
            if (longest > 0) {
                Duration over =
                        Duration.ofMillis(random.nextBoolean() ? longest : 1 + (long) (random.nextDouble() * longest));
                assertThat(Limit.warmUp(permits, Duration.ofMillis(periodMillis), over)
                                .capacity())
                        .isEqualTo(Math.max(1, over.toMillis() * permits / periodMillis));
            }
        }
    }

    @Test
    void parse_randomCharacters_throwsLimitSyntaxExceptionOnly() {
        String[] words = {
            "token-bucket",
            "sliding-log",
            "fixed-window",
            "5",
            "/",
            "s",
            "per",
            "1m",
            "burst",
            "lockout",
            "-",
            "~",
            "é",
            "\u0000",
            "99999999999999999999999",
            "slots",
            "from-first",
            "unlimited",
            "1",
            "min",
            "\n",
            "\t",
            "refill",
            "ms",
            "warm-up",
            "over",
            "10s",
            "month",
            "zone",
            "UTC",
            "Asia/Kolkata",
            "escalate",
            ".",
            "0.5"
        };
        long seed = 42;
        Random random = new Random(seed);
        for (int i = 0; i < 100_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(7); n > 0; n--) {
                text.append(words[random.nextInt(words.length)]).append(random.nextBoolean() ? " " : "");
            }
            try {
                Limit limit = Limit.parse(text.toString());
                assertThat(Limit.parse(limit.toString())).isEqualTo(limit);
            } catch (LimitSyntaxException e) {
                assertThat(e.column()).isBetween(1, text.length() + 1);
            }
        }
    }
}
