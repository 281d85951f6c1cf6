package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SuggestionTest {
    private static final List<String> WORDS = List.of("name", "key", "limit", "overrides", "not", "not-cidr");

    @Test
    void nearest_mistypedWord_isFound() {
        assertThat(Suggestion.nearest("overides", WORDS)).isEqualTo("overrides");
        assertThat(Suggestion.nearest("limits", WORDS)).isEqualTo("limit");
        assertThat(Suggestion.nearest("nmae", WORDS)).isEqualTo("name");
        assertThat(Suggestion.nearest("kye", List.of("kex", "key"))).isNull();
        assertThat(Suggestion.nearest("keys", WORDS)).isEqualTo("key");
    }

    @Test
    void nearest_otherWord_isNull() {
        assertThat(Suggestion.nearest("colour", WORDS)).isNull();
        assertThat(Suggestion.nearest("", WORDS)).isNull();
        assertThat(Suggestion.nearest("x".repeat(1_000_000), WORDS)).isNull();
    }
}
