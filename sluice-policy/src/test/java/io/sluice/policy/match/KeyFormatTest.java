package io.sluice.policy.match;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.policy.KeyPart;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyFormatTest {
    private static final AttributeSlots ATTRIBUTES = new AttributeSlots(List.of("tenant", "user", "ip"));
    private static final KeyPart TENANT = new KeyPart("tenant", KeyPart.WHOLE);
    private static final KeyPart USER = new KeyPart("user", KeyPart.WHOLE);

    private static final String[] HOSTILE = {
        "",
        ",",
        ",,",
        "\\",
        "\\,",
        "\\\\",
        "#",
        "##",
        "#a",
        "=",
        "=a",
        "a",
        "a,",
        ",a",
        "a,b",
        "a\\,b",
        "b",
        "{",
        "}",
        "{a}",
        ":",
        "%",
        "%2C",
        "\0",
        "\n",
        "\u0001",
        " ",
        "\u00e9",
        "e\u0301",
        "\ud800",
        "\udc00",
        "\ud801",
        "?",
        "\ufffd",
        "\ud83d\ude00",
        "a".repeat(199),
        "a".repeat(200),
        "a".repeat(201),
        ",".repeat(99),
        ",".repeat(100),
        ",".repeat(101),
        "#" + "a".repeat(43),
        "#" + "a".repeat(198),
        "#" + "a".repeat(199),
        "#" + "a".repeat(200),
        "\ud800".repeat(300),
        "\ud801".repeat(300),
        "x".repeat(1 << 16),
        "x".repeat((1 << 16) + 1),
        "x".repeat(1 << 16) + "y",
        "2001:db8::/64",
        "=2001:db8::/64",
        "10.0.0.0/8",
        "2001:db8::1",
        "10.0.0.1"
    };

    @Test
    void format_oneOrdinaryValue_isTheValue() {
        for (String value : new String[] {"acme", "a,b", "a\\b", "", "\ud800", "=x", "a".repeat(200)}) {
            assertThat(text(List.of(TENANT), value)).isSameAs(value);
        }
    }

    @Test
    void format_severalValues_areJoined() {
        assertThat(text(List.of(TENANT, USER), "acme", "jo")).isEqualTo("acme,jo");
        assertThat(text(List.of(TENANT, USER), "a,b", "c\\")).isEqualTo("a\\,b,c\\\\");
        assertThat(text(List.of())).isEmpty();
    }

    @Test
    void format_absentAttribute_isNull() {
        KeyFormat key = new KeyFormat(List.of(TENANT, USER), ATTRIBUTES);
        assertThat(key.format(ATTRIBUTES.values(Map.of("tenant", "acme")))).isNull();
    }

    @Tag("slow")
    @Test
    void format_hostileValues_haveDifferentBoundedTexts() {
        List<List<KeyPart>> keys = List.of(
                List.of(TENANT),
                List.of(new KeyPart("tenant", 64)),
                List.of(TENANT, USER),
                List.of(new KeyPart("tenant", 64), USER));
        for (List<KeyPart> parts : keys) {
            Map<String, List<String>> seen = new HashMap<>();
            for (String first : HOSTILE) {
                for (String second : parts.size() == 1 ? new String[] {""} : HOSTILE) {
                    check(seen, parts, List.of(first, second));
                }
            }
        }
    }

    @Test
    void format_randomValues_haveDifferentTexts() {
        String alphabet = ",,\\\\##==ab:/{}%\0\ud800\udc00";
        Map<String, List<String>> seen = new HashMap<>();
        Random random = new Random(1);
        List<KeyPart> parts = List.of(TENANT, USER, new KeyPart("ip", 24));
        for (int i = 0; i < 100_000; i++) {
            int longest = random.nextInt(20) == 0 ? 120 : 4;
            check(
                    seen,
                    parts,
                    List.of(
                            text(random, alphabet, longest),
                            text(random, alphabet, longest),
                            text(random, alphabet, 3)));
        }
        assertThat(seen).hasSizeGreaterThan(30_000);
    }

    private static String text(Random random, String alphabet, int longest) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(longest + 1); i > 0; i--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    private static void check(Map<String, List<String>> seen, List<KeyPart> parts, List<String> values) {
        String text = text(parts, values.toArray(String[]::new));
        assertThat(text.length()).isLessThanOrEqualTo(KeyFormat.MAX_LENGTH);
        List<String> other = seen.put(text, values);
        assertThat(other == null || other.equals(values))
                .as("%s for %s and %s", text, values, other)
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "64, 2001:db8:0:1:2:3:4:5, 2001:db8:0:1::/64",
        "64, 2001:DB8::1, 2001:db8::/64",
        "64, 192.0.2.7, 192.0.2.7/32",
        "64, ::ffff:192.0.2.7, 192.0.2.7/32",
        "24, 192.0.2.7, 192.0.2.0/24",
        "24, 2001:db8::1, 2001:d00::/24",
        "0, 192.0.2.7, 0.0.0.0/0",
        "0, 2001:db8::1, ::/0",
        "128, ::1, ::1/128",
    })
    void network_address_usesTheNetwork(int prefix, String ip, String network) {
        KeyFormat key = new KeyFormat(List.of(new KeyPart("ip", prefix)), ATTRIBUTES);
        String[] values = ATTRIBUTES.values(Map.of("ip", ip));
        assertThat(key.format(values)).isEqualTo(network);
        assertThat(key.display(values)).isEqualTo(Map.of("ip/" + prefix, network));
    }

    @Test
    void network_notAnAddress_usesTheValueAndEqualsNoNetwork() {
        KeyFormat key = new KeyFormat(List.of(new KeyPart("ip", 64)), ATTRIBUTES);
        String[] values = ATTRIBUTES.values(Map.of("ip", "2001:db8::/64"));
        assertThat(key.format(values)).isEqualTo("=2001:db8::/64");
        assertThat(key.display(values)).isEqualTo(Map.of("ip/64", "2001:db8::/64"));
    }

    @Test
    void display_hasTheOrderOfTheParts() {
        KeyFormat key = new KeyFormat(List.of(USER, TENANT), ATTRIBUTES);
        assertThat(key.display(ATTRIBUTES.values(Map.of("tenant", "a,b", "user", "#1"))))
                .containsExactly(Map.entry("user", "#1"), Map.entry("tenant", "a,b"));
    }

    private static String text(List<KeyPart> parts, String... values) {
        Map<String, String> request = new LinkedHashMap<>();
        for (int i = 0; i < parts.size(); i++) {
            request.put(parts.get(i).attribute(), values[i]);
        }
        return requireNonNull(new KeyFormat(parts, ATTRIBUTES).format(ATTRIBUTES.values(request)));
    }
}
