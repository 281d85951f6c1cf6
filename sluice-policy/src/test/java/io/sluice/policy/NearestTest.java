package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
    private static final List<String> WORDS = List.of("name", "key", "limit", "overrides", "not", "not-cidr");

    @Test
    void nearest_ofAMistypedWord_isFound() {
        assertThat(Nearest.to("overides", WORDS)).isEqualTo("overrides");
        assertThat(Nearest.to("limits", WORDS)).isEqualTo("limit");
        assertThat(Nearest.to("nmae", WORDS)).isEqualTo("name");
        assertThat(Nearest.to("kye", List.of("kex", "key"))).isNull();
        assertThat(Nearest.to("keys", WORDS)).isEqualTo("key");
    }

    @Test
    void nearest_ofAnotherWord_isNone() {
        assertThat(Nearest.to("colour", WORDS)).isNull();
        assertThat(Nearest.to("", WORDS)).isNull();
        assertThat(Nearest.to("x".repeat(1_000_000), WORDS)).isNull();
    }
}
