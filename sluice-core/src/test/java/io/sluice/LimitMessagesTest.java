package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What users read who mistype a calendar, a warm-up, an escalation or a fraction: the whole message. */
class LimitMessagesTest {
    private static LimitSyntaxException refused(String text) {
        return catchThrowableOfType(LimitSyntaxException.class, () -> Limit.parse(text));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        0.5/s                   | 1  | "0.5" (expected: whole permits; the same rate is 1 per 2s)
        .5/s                    | 1  | ".5" (expected: whole permits; the same rate is 1 per 2s)
        leaky-bucket .25/m      | 14 | ".25" (expected: whole permits; the same rate is 1 per 4m)
        fixed-window 9/month    | 16 | unit "month" (expected: fixed-window N per month, with per and not /)
        9/week                  | 3  | unit "week" (expected: fixed-window N per week, with per and not /)
        2.5/min                 | 1  | "2.5" (expected: whole permits; the same rate is 5 per 2m)
        0.1 per 5s              | 1  | "0.1" (expected: whole permits; the same rate is 1 per 50s)
        1.5/10s                 | 1  | "1.5" (expected: whole permits; the same rate is 3 per 20s)
        0.333/s                 | 1  | "0.333" (expected: whole permits; the same rate is 333 per 1000s)
        2.50/h                  | 1  | "2.50" (expected: whole permits; the same rate is 5 per 2h)
        3.0/d                   | 1  | "3.0" (expected: whole permits; the same rate is 3/d)
        0.0/s                   | 1  | "0.0" (expected: a whole number of permits)
        0.0000000000000001/d    | 1  | "0.0000000000000001" (expected: a whole number of permits)
        leaky-bucket 0.5/s      | 14 | "0.5" (expected: whole permits; the same rate is 1 per 2s)
        fixed-window 1.5 per month | 14 | "1.5" (expected: a whole number of permits)
        0./s                    | 3  | "/" (expected: digits after the point)
        0.5                     | 4  | no unit (expected: /UNIT or per DURATION, as in 10/s or 5 per 1m)
        """)
    void fraction_isRefusedWithTheSameRateInWholeNumbers(String text, int column, String problem) {
        LimitSyntaxException e = refused(text);
        assertThat(e.problem()).isEqualTo(problem);
        assertThat(e.column()).isEqualTo(column);
    }

    /** The text after "the same rate is" is a limit. */
    @ParameterizedTest
    @ValueSource(strings = {"0.5/s", "2.5/min", "0.1 per 5s", "0.333/s", "1.5/10s", "0.007/ms"})
    void fraction_sameRate_isAccepted(String text) {
        String same = refused(text).problem().replaceAll(".*the same rate is (.*)\\)", "$1");
        TokenBucket bucket = (TokenBucket) Limit.parse(same);
        double permits = Double.parseDouble(text.replaceAll("(/| per ).*", ""));
        String period = text.replaceAll(".*(/| per )", "");
        TokenBucket whole =
                (TokenBucket) Limit.parse("1 per " + (Character.isDigit(period.charAt(0)) ? period : "1" + period));
        assertThat(bucket.permits() / (double) bucket.period().toMillis())
                .isEqualTo(permits / whole.period().toMillis());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        fixed-window 5 per day zone Asia/Shangai     | 29 | zone: "Asia/Shangai" (expected: a zone of the IANA database; the nearest is Asia/Shanghai)
        fixed-window 5 per day zone shanghai         | 29 | zone: "shanghai" (expected: a zone of the IANA database; the nearest is Asia/Shanghai)
        fixed-window 5 per day zone europe/berlin    | 29 | zone: "europe/berlin" (expected: a zone of the IANA database; the nearest is Europe/Berlin)
        fixed-window 5 per day zone GMT+8            | 29 | zone: "GMT+8" (expected: a zone of the IANA database; the nearest is Etc/GMT-8, whose sign is the other way round)
        fixed-window 5 per day zone -03:00           | 29 | zone: "-03:00" (expected: a zone of the IANA database; the nearest is Etc/GMT+3, whose sign is the other way round)
        fixed-window 5 per day zone GMT+5:45         | 29 | zone: "GMT+5:45" (expected: a zone of the IANA database; the nearest is Asia/Katmandu)
        fixed-window 5 per day zone +09:30           | 29 | zone: "+09:30" (expected: a zone of the IANA database; the nearest is Australia/North)
        fixed-window 5 per day zone PST              | 29 | zone: "PST" (expected: a zone of the IANA database; the nearest is America/Los_Angeles)
        fixed-window 5 per day zone Z                | 29 | zone: "Z" (expected: a zone of the IANA database; the nearest is UTC)
        fixed-window 5 per day zone Sao_Paolo        | 29 | zone: "Sao_Paolo" (expected: a zone of the IANA database; the nearest is America/Sao_Paulo)
        fixed-window 5 per day zone                  | 28 | nothing (expected: a zone of the IANA database after zone, such as Europe/Berlin)
        fixed-window 5 per day from-first            | 24 | "from-first" (expected: zone ZONE, lockout DURATION or the end of the text, for fixed-window per day)
        fixed-window 5 per 1d zone UTC               | 23 | "zone" (expected: from-first, lockout DURATION or the end of the text, for fixed-window)
        fixed-window 5/day zone UTC                  | 20 | "zone" (expected: from-first, lockout DURATION or the end of the text, for fixed-window)
        fixed-window 5 per day zone UTC zone UTC     | 33 | "zone" a second time (expected: every option once)
        fixed-window 5 per decade                    | 20 | "decade" (expected: a duration after per, such as 500ms, 10s, 5m, 1h or 1d, or day, week, month or year)
        fixed-window 5 per Month                     | 20 | "Month" (expected: a duration after per, such as 500ms, 10s, 5m, 1h or 1d, or day, week, month or year)
        token-bucket 5 per day                       | 20 | "day" (expected: a duration such as 1d, because only fixed-window knows the calendar)
        5 per month                                  | 7  | "month" (expected: a duration such as 1d, because only fixed-window knows the calendar)
        sliding-log 5 per week zone UTC              | 19 | "week" (expected: a duration such as 1d, because only fixed-window knows the calendar)
        warm-up 5 per year over 1s                   | 15 | "year" (expected: a duration such as 1d, because only fixed-window knows the calendar)
        sliding-log 5 per decade                     | 19 | "decade" (expected: a duration after per, such as 500ms, 10s, 5m, 1h or 1d)
        5/month                                      | 3  | unit "month" (expected: fixed-window N per month, with per and not /)
        """)
    void calendar_mistyped_isRefused(String text, int column, String problem) {
        LimitSyntaxException e = refused(text);
        assertThat(e.problem()).isEqualTo(problem);
        assertThat(e.column()).isEqualTo(column);
    }

    @Test
    void zone_veryLong_isRefusedWithoutASearch() {
        String name = "x".repeat(100_000);
        assertThat(refused("fixed-window 5 per day zone " + name).problem())
                .isEqualTo("zone: \"" + name + "\" (expected: a zone of the IANA database, such as Europe/Berlin)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        warm-up 100/s               | 14 | no over (expected: over DURATION, how long it takes to be warm, as in over 10s)
        warm-up 100/s lockout 1m    | 25 | no over (expected: over DURATION, how long it takes to be warm, as in over 10s)
        warm-up 100/s over          | 19 | nothing (expected: a duration after over, such as 500ms, 10s, 5m, 1h or 1d)
        warm-up 100/s over 10       | 20 | "10" (expected: a duration after over, such as 500ms, 10s, 5m, 1h or 1d)
        warm-up 100/s over 0s       | 20 | "0s" (expected: 1s to 1125899906s)
        warm-up 100/s burst 5       | 15 | "burst" (expected: over DURATION, lockout DURATION or the end of the text, for warm-up)
        token-bucket 100/s over 10s | 20 | "over" (expected: burst N, refill greedy¦interval, lockout DURATION or the end of the text, for token-bucket)
        """)
    void warmUp_mistyped_isRefused(String text, int column, String problem) {
        LimitSyntaxException e = refused(text);
        assertThat(e.problem().replace('|', '¦')).isEqualTo(problem);
        assertThat(e.column()).isEqualTo(column);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        warm-up 999999937/s over 10s | over: 10s (expected: 999000000 permits would do, to stay exact)
        warm-up 123457/s over 10h    | over: 10h (expected: at most 36ms at this rate; 123000 permits would do, to stay exact)
        warm-up 7/s over 9999d       | over: 9999d (expected: at most 11488774559ms at this rate, to stay exact)
        warm-up 999983 per 1ms over 1s | over: 1s (expected: 999900 permits would do, to stay exact)
        """)
    void warmUp_notExact_isRefusedWithWhatWouldDo(String text, String problem) {
        LimitSyntaxException e = refused(text);
        assertThat(e.problem()).isEqualTo(problem);
        assertThat(e.column()).isEqualTo(text.indexOf("over ") + 6);
        if (problem.contains("at most ")) {
            String longest = problem.replaceAll(".*at most (\\w+) .*", "$1");
            assertThat(Limit.parse(text.replaceAll("over .*", "over " + longest)))
                    .isInstanceOf(WarmUp.class);
        }
        if (problem.contains("permits would do")) {
            String permits = problem.replaceAll(".*?(\\d+) permits would do.*", "$1");
            assertThat(Limit.parse(text.replaceFirst("\\d+", permits))).isInstanceOf(WarmUp.class);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        sliding-log 5/m escalate 3                    | 17 | "escalate" (expected: lockout DURATION or the end of the text, for sliding-log)
        sliding-log 5/m escalate 3 lockout 1m         | 17 | "escalate" (expected: lockout DURATION or the end of the text, for sliding-log)
        sliding-log 5/m lockout 1m escalate           | 36 | nothing (expected: a whole number from 1 to 10 after escalate)
        sliding-log 5/m lockout 1m escalate twice     | 37 | "twice" (expected: a whole number from 1 to 10 after escalate)
        sliding-log 5/m lockout 1m escalate 0         | 37 | escalate: 0 (expected: 1 to 10)
        sliding-log 5/m lockout 1m escalate 11        | 37 | escalate: 11 (expected: 1 to 10)
        sliding-log 5/m lockout 51d escalate 10       | 25 | lockout: 51d (expected: at most 4397962136ms with escalate 10)
        sliding-log 5/m lockout 1m lockout 1m         | 28 | "lockout" a second time (expected: every option once)
        sliding-log 5/m lockout 1m slots 3            | 28 | "slots" (expected: escalate N or the end of the text, for sliding-log)
        """)
    void escalation_mistyped_isRefused(String text, int column, String problem) {
        LimitSyntaxException e = refused(text);
        assertThat(e.problem()).isEqualTo(problem);
        assertThat(e.column()).isEqualTo(column);
    }

    @Test
    void escalation_longestLockout_isAccepted() {
        assertThat(Limit.parse("5/m lockout 4397962136ms escalate 10")).isInstanceOf(Lockout.class);
        assertThat(refused("5/m lockout 4397962137ms escalate 10").problem()).startsWith("lockout: 4397962137ms");
        assertThatThrownBy(() -> new Lockout(Limit.parse("5/m"), Duration.ofMinutes(1), -1))
                .hasMessage("escalate: -1 (expected: 1 to 10)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        concurrency                  | 12 | nothing (expected: a whole number of permits as in concurrency 64, or adaptive)
        concurrency many             | 13 | "many" (expected: a whole number of permits as in concurrency 64, or adaptive)
        concurrency 0                | 13 | permits: 0 (expected: at least 1)
        concurrency 100001           | 13 | permits: 100001 (expected: at most 100000 for concurrency, whose memory grows with them)
        concurrency 10/s             | 15 | "/" (expected: hold DURATION or the end of the text, for concurrency)
        concurrency 10 lockout 1m    | 16 | "lockout" (expected: hold DURATION or the end of the text, for concurrency)
        concurrency 10 hold          | 20 | nothing (expected: a duration after hold, such as 500ms, 10s, 5m, 1h or 1d)
        concurrency adaptive hold 1m | 22 | "hold" (expected: from N, between N and N or the end of the text, for concurrency adaptive)
        concurrency adaptive from 0  | 27 | from: 0 (expected: 1 to 1000)
        concurrency adaptive between 9 and 5    | 30 | least: 9 (expected: at most 5, the other number)
        concurrency adaptive between 1 to 5     | 32 | "to" (expected: and, as in between 1 and 1000)
        concurrency adaptive between 1 and 5 from 6 | 43 | from: 6 (expected: 1 to 5)
        """)
    void concurrency_isRefusedWithWhatWasExpected(String text, int column, String problem) {
        LimitSyntaxException e = refused(text);
        assertThat(e.problem()).isEqualTo(problem);
        assertThat(e.column()).isEqualTo(column);
    }

    @Test
    void lockout_onConcurrency_isRefused() {
        assertThatThrownBy(() -> Limit.concurrency(5).lockout(Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("lockout: on concurrency 5"
                        + " (expected: on a limit with a rate, this one limits what is in flight)");
    }
}
