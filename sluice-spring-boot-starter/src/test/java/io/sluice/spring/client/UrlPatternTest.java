package io.sluice.spring.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UrlPatternTest {
    @ParameterizedTest
    @CsvSource({
        "https://api.partner.com/**, https://api.partner.com/v1/orders?x=1",
        "https://api.partner.com/**, https://API.Partner.com",
        "https://api.partner.com/**, https://api.partner.com:443/",
        "https://api.partner.com, https://api.partner.com/v1",
        "https://*.partner.com/v1/*, https://eu.partner.com/v1/orders",
        "https://**.partner.com/**, https://a.b.partner.com/",
        "http://localhost:8080/**, http://localhost:8080/a",
    })
    void url_ofThePattern_matches(String pattern, String url) {
        assertThat(UrlPattern.parse(pattern).matches(URI.create(url))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "https://api.partner.com/**, http://api.partner.com/v1",
        "https://api.partner.com/**, https://api.partner.com:8443/v1",
        "https://api.partner.com/**, https://api.partner.com.evil.org/v1",
        "https://api.partner.com/**, https://apiXpartner.com/v1",
        "https://*.partner.com/**, https://a.b.partner.com/",
        "https://api.partner.com/v1/*, https://api.partner.com/v1/orders/7",
        "https://api.partner.com/v1/**, https://api.partner.com/v2",
        "https://api.partner.com/**, /v1",
    })
    void url_ofAnother_doesNotMatch(String pattern, String url) {
        assertThat(UrlPattern.parse(pattern).matches(URI.create(url))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"api.partner.com/**", "ftp://api.partner.com/", "https:///**", "https://a b/", "https://a/{x"})
    void text_thatIsNoPattern_isRefused(String text) {
        assertThatThrownBy(() -> UrlPattern.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text)
                .hasMessageContaining("expected");
    }
}
