package io.sluice.spring.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.spring.SluiceSettingsException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExcludedPathsTest {
    @Test
    void pathWithoutSlash_isRefused_becauseNoPathIsLikeIt() {
        assertThatThrownBy(() -> new ExcludedPaths(List.of("/ok", "health")))
                .isInstanceOf(SluiceSettingsException.class)
                .hasMessageContaining("sluice.web.exclude: \"health\"");
    }

    @Test
    void patterns_matchNormalisedPaths() {
        ExcludedPaths excluded = new ExcludedPaths(List.of("/actuator/**", "**/health"));
        assertThat(excluded.contain("/actuator/info")).isTrue();
        assertThat(excluded.contain("/a/health")).isTrue();
        assertThat(excluded.contain("/actuator/../orders")).isFalse();
    }
}
