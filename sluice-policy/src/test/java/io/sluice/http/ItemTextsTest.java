package io.sluice.http;

import static io.sluice.http.Results.allowed;
import static io.sluice.http.Results.enforced;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ItemTextsTest {
    private final ItemTexts texts = new ItemTexts();

    @Test
    void text_ofTheSameLimit_isWrittenOnce() {
        ItemText first = texts.of("per-user", Limit.parse("10/s burst 20"), 0);
        assertThat(first.name()).isEqualTo("\"per-user\"");
        assertThat(first.policy()).isEqualTo("\"per-user\";q=20;w=2");
        assertThat(texts.of("per-user", Limit.parse("10/s burst 20"), 0)).isSameAs(first);
        assertThat(texts.size()).isEqualTo(1);
    }

    @Test
    void limitThatChanges_hasItsOwnText() {
        for (int i = 0; i < 2; i++) {
            assertThat(texts.of("p", Limit.parse("10/s"), 0).policy()).isEqualTo("\"p\";q=10;w=1");
            assertThat(texts.of("p", Limit.parse("20/min"), 0).policy()).isEqualTo("\"p\";q=20;w=60");
        }
        assertThat(texts.size()).isEqualTo(2);
        assertThat(RateLimitHeaders.of(allowed(enforced("changed", "10/s", Decision.allowed(1, 0, 0)))))
                .containsEntry("RateLimit-Policy", "\"changed\";q=10;w=1");
        assertThat(RateLimitHeaders.of(allowed(enforced("changed", "10/min", Decision.allowed(1, 0, 0)))))
                .containsEntry("RateLimit-Policy", "\"changed\";q=10;w=60");
    }

    @Test
    void manyLimitsAndPolicies_areRightAndBounded() {
        for (int i = 1; i <= 100; i++) {
            assertThat(texts.of("p", Limit.parse(i + "/s"), 0).policy()).isEqualTo("\"p\";q=" + i + ";w=1");
        }
        assertThat(texts.size()).isEqualTo(ItemTexts.MAX_LIMITS);
        Limit limit = Limit.parse("1/s");
        for (int i = 0; i < ItemTexts.MAX_POLICIES + 10; i++) {
            assertThat(texts.of("p" + i, limit, 0).name()).isEqualTo("\"p" + i + "\"");
        }
        assertThat(texts.size()).isEqualTo(ItemTexts.MAX_POLICIES - 1 + ItemTexts.MAX_LIMITS);
    }

    @Test
    void windowOfTheCalendar_hasTheLengthOfThePresentWindow() {
        Limit limit = Limit.parse("fixed-window 100 per month");
        long january = Instant.parse("2026-01-31T23:59:59Z").getEpochSecond() * 1_000_000;
        ItemText text = texts.of("p", limit, january);
        assertThat(text.policy()).isEqualTo("\"p\";q=100;w=" + 31 * 86_400);
        assertThat(texts.of("p", limit, january + 999_999)).isSameAs(text);
        assertThat(texts.of("p", limit, january + 1_000_000).policy()).isEqualTo("\"p\";q=100;w=" + 28 * 86_400);
    }

    @Test
    void warmUp_hasTheMostPermitsOfARequestAndTheTimeOfTheWarmUp() {
        assertThat(texts.of("p", Limit.parse("warm-up 100/s over 10s lockout 1m escalate 2"), 0)
                        .policy())
                .isEqualTo("\"p\";q=1000;w=10");
    }
}
