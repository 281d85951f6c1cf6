package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SuggestionTest {
    private static final List<String> WORDS = List.of("name", "key", "limit", "overrides", "not", "not-cidr");

    @Test
    void nearest_ofAMistypedWord_isFound() {
        assertThat(Suggestion.to("overides", WORDS)).isEqualTo("overrides");
        assertThat(Suggestion.to("limits", WORDS)).isEqualTo("limit");
        assertThat(Suggestion.to("nmae", WORDS)).isEqualTo("name");
        assertThat(Suggestion.to("kye", List.of("kex", "key"))).isNull();
        assertThat(Suggestion.to("keys", WORDS)).isEqualTo("key");
    }

    @Test
    void nearest_ofAnotherWord_isNone() {
        assertThat(Suggestion.to("colour", WORDS)).isNull();
        assertThat(Suggestion.to("", WORDS)).isNull();
        assertThat(Suggestion.to("x".repeat(1_000_000), WORDS)).isNull();
    }
}
