package io.sluice.http;

import static io.sluice.http.Results.allowed;
import static io.sluice.http.Results.denied;
import static io.sluice.http.Results.enforced;
import static io.sluice.http.Results.shadow;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.policy.PolicyDecision;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateLimitHeadersTest {
    @Test
    void headers_denied_haveAllValues() {
        PolicyDecision decision = denied(
                11_000_001,
                enforced("name", "fixed-window 100 per 1m", Decision.denied(0, 11_000_001, 11_000_001)),
                enforced("other", "token-bucket 10/s burst 25", Decision.allowed(7, 0, 1_800_000)));
        assertThat(RateLimitHeaders.of(decision))
                .containsExactly(
                        entry("Retry-After", "12"),
                        entry("RateLimit-Policy", "\"name\";q=100;w=60, \"other\";q=25;w=3"),
                        entry("RateLimit", "\"name\";r=0;t=12, \"other\";r=7;t=2"));
        assertThat(RateLimitHeaders.legacy(decision))
                .containsExactly(
                        entry("X-RateLimit-Limit", "100"),
                        entry("X-RateLimit-Remaining", "0"),
                        entry("X-RateLimit-Reset", "12"));
    }

    @Test
    void headers_ofAnAllowedRequest_haveNoRetryAfter() {
        PolicyDecision decision = allowed(
                enforced("a", "leaky-bucket 10/s capacity 20", Decision.allowed(9, 1, 1_000_000)),
                enforced("b", "sliding-log 5 per 500ms lockout 5m", Decision.allowed(4, 0, 500_000)));
        assertThat(RateLimitHeaders.of(decision))
                .containsExactly(
                        entry("RateLimit-Policy", "\"a\";q=20;w=2, \"b\";q=5;w=1"),
                        entry("RateLimit", "\"a\";r=9;t=1, \"b\";r=4;t=1"));
        assertThat(RateLimitHeaders.legacy(decision)).containsEntry("X-RateLimit-Limit", "5");
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "999999, 1", "1000000, 1", "1000001, 2", "0, 1", "9223372036854775806, 9223372036855"})
    void retryAfter_isWholeSecondsRoundedUpAndAtLeastOne(long micros, String seconds) {
        assertThat(RateLimitHeaders.of(denied(micros))).containsExactly(entry("Retry-After", seconds));
    }

    @Test
    void headers_ofAConcurrencyLimit_haveItsPermitsAndItsHold_andRetryAfterOne() {
        PolicyDecision decision = denied(
                25_000_000, enforced("c", "concurrency 64 hold 30s", Decision.denied(0, 25_000_000, 29_000_001)));
        assertThat(RateLimitHeaders.of(decision))
                .containsExactly(
                        entry("Retry-After", "1"),
                        entry("RateLimit-Policy", "\"c\";q=64;w=30"),
                        entry("RateLimit", "\"c\";r=0;t=30"));
        assertThat(QuotaExceeded.of(decision).detail()).isEqualTo("Try again in 1 second.");
    }

    @Test
    void retryAfter_ofAConcurrencyLimitAndARate_isThatOfTheRate() {
        PolicyDecision decision = denied(
                25_000_000,
                enforced("c", "concurrency 64", Decision.denied(0, 25_000_000, 29_000_000)),
                enforced("other", "concurrency 4", Decision.allowed(3, 0, 29_000_000)),
                enforced("rate", "10/s", Decision.denied(0, 3_000_000, 4_000_000)));
        assertThat(RateLimitHeaders.retryAfter(decision)).isEqualTo(3);
    }

    @Test
    void headers_neverAllowed_haveNoRetryAfter() {
        PolicyDecision decision =
                denied(Decision.NEVER, enforced("a", "blocked", Decision.denied(0, Decision.NEVER, 0)));
        assertThat(RateLimitHeaders.of(decision))
                .containsExactly(entry("RateLimit-Policy", "\"a\";q=0;w=1"), entry("RateLimit", "\"a\";r=0;t=1"));
        assertThat(RateLimitHeaders.of(
                        denied(Decision.NEVER, enforced("a", "10/s", Decision.denied(10, Decision.NEVER, 0)))))
                .containsExactly(entry("RateLimit-Policy", "\"a\";q=10;w=1"), entry("RateLimit", "\"a\";r=10;t=0"));
    }

    @Test
    void headers_shadowAndUnlimited_haveNoItem() {
        PolicyDecision decision = allowed(
                shadow("a", "10/s", Decision.denied(0, 1, 1)),
                enforced("b", "unlimited", new Decision(true, Long.MAX_VALUE, 0, 0, 0)));
        assertThat(RateLimitHeaders.of(decision)).isEmpty();
        assertThat(RateLimitHeaders.legacy(decision)).isEmpty();
    }

    @Test
    void degraded_hasOnlyKnownItems() {
        assertThat(RateLimitHeaders.of(
                        allowed(enforced("a", "10/s", Decision.allowed(0, 0, 0).asDegraded()))))
                .containsExactly(entry("RateLimit-Policy", "\"a\";q=10;w=1"));
        assertThat(RateLimitHeaders.of(denied(
                        1_000_000,
                        enforced("a", "10/s", Decision.denied(0, 1_000_000, 0).asDegraded()))))
                .containsEntry("RateLimit", "\"a\";r=0;t=1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "a\"b\\c | \"a\\\"b\\\\c\"",
                "50% | \"50%\"",
                "caf\u00e9 5% | \"caf%c3%a9 5%25\"",
                "a\u0001b | \"a%01b\"",
            })
    void name_ofAnyKind_isAStructuredString(String name, String expected) {
        assertThat(RateLimitHeaders.of(allowed(enforced(name, "10/s", Decision.allowed(9, 0, 1)))))
                .containsEntry("RateLimit", expected + ";r=9;t=1");
    }

    @Test
    void number_beyondStructuredFields_isTheLargest() {
        assertThat(RateLimitHeaders.of(allowed(enforced(
                        "a", "fixed-window 1100000000000000 per 1m", Decision.allowed(1_099_999_999_999_999L, 0, 1)))))
                .containsExactly(
                        entry("RateLimit-Policy", "\"a\";q=999999999999999;w=60"),
                        entry("RateLimit", "\"a\";r=999999999999999;t=1"));
    }
}
