package io.sluice.spring.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpHeaders;

class AnswerTest {
    /** 2026-01-01T00:00:00Z. */
    private static final long NOW = ManualTime.START_MICROS;

    private static long pause(int status, String... lines) {
        HttpHeaders headers = new HttpHeaders();
        for (String line : lines) {
            int colon = line.indexOf(':');
            headers.add(line.substring(0, colon), line.substring(colon + 1).strip());
        }
        return new Answer(status, headers, NOW).pauseSeconds();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "7  | Retry-After: 7",
                "90 | Retry-After: Thu, 01 Jan 2026 00:01:30 GMT",
                "0  | Retry-After: Wed, 31 Dec 2025 23:59:00 GMT",
                "0  | Retry-After: 0",
                "12 | RateLimit: \"minute\";r=0;t=12",
                "40 | RateLimit: \"a\";r=0;t=12, \"b\";r=5;t=3600, \"c;r=9,\";t=40;r=0",
                "12 | RateLimit: default;r=0;t=12",
                "0  | RateLimit: \"minute\";r=1;t=12",
                "0  | RateLimit: \"minute\";r=0",
                "12 | RateLimit: limit=10, remaining=0, reset=12",
                "0  | RateLimit: limit=10, remaining=3, reset=12",
                "12 | RateLimit-Reset: 12",
                "0  | X-RateLimit-Reset: 12",
            })
    void pause_of429_isWhatItsHeaderSays(long expected, String header) {
        assertThat(pause(429, header)).isEqualTo(expected);
    }

    @Test
    void pause_ofTwoHeaderLines_isTheLonger() {
        assertThat(pause(429, "RateLimit: \"a\";r=0;t=12", "RateLimit: \"b\";r=0;t=30"))
                .isEqualTo(30);
    }

    @Test
    void retryAfter_comesBeforeRateLimit() {
        assertThat(pause(429, "RateLimit: \"a\";r=0;t=12", "Retry-After: 3")).isEqualTo(3);
        assertThat(pause(429, "RateLimit: \"a\";r=0;t=12", "Retry-After: soon")).isEqualTo(12);
    }

    @Test
    void retryAfter_asDate_countsFromTheDateOfTheAnswer() {
        assertThat(pause(429, "Date: Thu, 01 Jan 2026 00:10:00 GMT", "Retry-After: Thu, 01 Jan 2026 00:10:20 GMT"))
                .isEqualTo(20);
    }

    @Test
    void reset_inSecondsOrSinceTheEpoch_isRead() {
        assertThat(pause(429, "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 45"))
                .isEqualTo(45);
        assertThat(pause(429, "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: " + (NOW / 1_000_000 + 45)))
                .isEqualTo(45);
        assertThat(pause(429, "X-RateLimit-Remaining: 2", "X-RateLimit-Reset: 45"))
                .isZero();
        assertThat(pause(429, "RateLimit-Remaining: 2", "RateLimit-Reset: 45")).isZero();
    }

    @Test
    void status_decidesWhichHeadersCount() {
        assertThat(pause(503, "Retry-After: 7")).isEqualTo(7);
        assertThat(pause(503, "RateLimit: \"a\";r=0;t=12")).isZero();
        assertThat(pause(200, "RateLimit: \"a\";r=0;t=12")).isEqualTo(12);
        assertThat(pause(200, "RateLimit: \"a\";r=1;t=12")).isZero();
        assertThat(pause(200, "Retry-After: 7")).isZero();
        assertThat(pause(404, "RateLimit: \"a\";r=0;t=12", "Retry-After: 7")).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Retry-After: -5",
                "Retry-After: 1.5",
                "Retry-After: tomorrow",
                "Retry-After: \u0667",
                "RateLimit: ,;=\"",
                "RateLimit: \"a\\",
                "RateLimit: \"a\";r=0;t=-1",
                "RateLimit: remaining=, reset=",
                "RateLimit-Reset: 0x10",
            })
    void garbage_isIgnored(String header) {
        assertThat(pause(429, header)).isZero();
    }

    @Test
    void number_thatIsTooLarge_isTheLargest() {
        assertThat(pause(429, "Retry-After: 99999999999999999999999")).isEqualTo(Long.MAX_VALUE);
    }
}
