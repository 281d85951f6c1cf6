package io.sluice.policy.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.policy.KeyPart;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KeyParserTest {
    private static final KeyPart TENANT = new KeyPart("tenant", KeyPart.WHOLE);
    private static final KeyPart NET = new KeyPart("ip", 64);

    private static @Nullable Map<String, String> there(List<KeyPart> parts, Map<String, String> request) {
        AttributeSlots attributes =
                new AttributeSlots(parts.stream().map(KeyPart::attribute).toList());
        return KeyParser.parse(
                parts, Objects.requireNonNull(new KeyFormat(parts, attributes).format(attributes.values(request))));
    }

    @Test
    void parse_formattedKey_returnsTheDisplayedKey() {
        assertThat(there(List.of(TENANT), Map.of("tenant", "#a,b\\"))).isEqualTo(Map.of("tenant", "#a,b\\"));
        assertThat(there(List.of(NET, TENANT), Map.of("ip", "2001:db8::1", "tenant", "a,\\")))
                .isEqualTo(Map.of("ip/64", "2001:db8::/64", "tenant", "a,\\"));
        assertThat(there(List.of(NET), Map.of("ip", "203.0.113.9"))).isEqualTo(Map.of("ip/64", "203.0.113.9/32"));
        assertThat(there(List.of(NET), Map.of("ip", "nonsense"))).isEqualTo(Map.of("ip/64", "nonsense"));
    }

    @Test
    void parse_randomValues_returnsTheSameValues() {
        KeyPart user = new KeyPart("user", KeyPart.WHOLE);
        Random random = new Random(42);
        for (int i = 0; i < 10_000; i++) {
            Map<String, String> request = Map.of("tenant", text(random), "user", text(random));
            assertThat(there(List.of(TENANT, user), request)).isEqualTo(request);
        }
    }

    private static String text(Random random) {
        StringBuilder out = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            out.append("#,\\=/a".charAt(random.nextInt(6)));
        }
        return out.toString();
    }

    @Test
    void parse_digestOrOtherParts_isNull() {
        assertThat(there(List.of(TENANT), Map.of("tenant", "x".repeat(300)))).isNull();
        assertThat(KeyParser.parse(List.of(TENANT, NET), "a")).isNull();
        assertThat(KeyParser.parse(List.of(), "a")).isNull();
    }

    @Test
    void attributes_network_returnsAnAddressOfIt() {
        assertThat(KeyParser.attributes(List.of(NET), Map.of("ip/64", "2001:db8::/64")))
                .isEqualTo(Map.of("ip", "2001:db8::"));
        assertThat(KeyParser.attributes(List.of(NET), Map.of("ip", "203.0.113.9/32")))
                .isEqualTo(Map.of("ip", "203.0.113.9"));
        assertThat(KeyParser.attributes(List.of(NET), Map.of("ip", "2001:db8::/48")))
                .as("not such a network")
                .isEqualTo(Map.of("ip", "2001:db8::/48"));
    }

    @Test
    void attributes_otherThanTheKey_areRefused() {
        assertThatThrownBy(() -> KeyParser.attributes(List.of(NET, TENANT), Map.of("ip", "::1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("key: tenant is absent (expected: ip/64, tenant)");
        assertThatThrownBy(() -> KeyParser.attributes(List.of(), Map.of("x", "y")))
                .hasMessage("key: \"x\" (expected: none, because the policy has no key attributes)");
    }
}
