package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookHostsTest {
    @ParameterizedTest
    @CsvSource({
        "hooks.example.com, hooks.example.com, true",
        "Hooks.Example.com., hooks.EXAMPLE.com, true",
        "hooks.example.com, hooks.example.com., true",
        "hooks.example.com, example.com, false",
        "example.com, hooks.example.com, false",
        "example.com, badexample.com, false",
        "*.example.com, hooks.example.com, true",
        "*.example.com, a.b.example.com, true",
        "*.example.com, example.com, false",
        "*.example.com, .example.com, false",
        "*.example.com, badexample.com, false",
        "web1, web1, true",
        "10.0.0.0/8, 10.1.2.3, true",
        "10.0.0.0/8, 11.1.2.3, false",
        "10.0.0.0/8, [::ffff:10.1.2.3], true",
        "10.1.2.3, 10.1.2.3, true",
        "2001:db8::/32, [2001:db8::1], true",
        "2001:db8::/32, [2001:db9::1], false",
        "0.0.0.0/0, hooks.example.com, false",
        "*, anything, true",
        "*, [::1], true"
    })
    void host_isAllowedByNameOrNetwork(String allowed, String host, boolean expected) {
        assertThat(new WebhookHosts(List.of("other", allowed)).allow(host)).isEqualTo(expected);
    }

    @Test
    void emptyList_allowsNoHost() {
        assertThat(new WebhookHosts(List.of()).allow("localhost")).isFalse();
        assertThat(new WebhookHosts(List.of())).hasToString("none");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "a b", "http://a", "a:80", "a/b", "*a", "a*", "10.0.0.1/8", "10.0.0", "*.", "-a", "**"})
    void host_invalid_isRefused(String host) {
        assertThatThrownBy(() -> new WebhookHosts(List.of(host)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(expected: a name such as hooks.example.com or *.example.com, or a network");
    }
}
