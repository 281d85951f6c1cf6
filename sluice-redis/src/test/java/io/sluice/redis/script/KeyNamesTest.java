package io.sluice.redis.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyNamesTest {
    private final KeyNames names = new KeyNames("sluice");

    private String name(String limiter, String key) {
        return new String(names.key(names.keyPrefix(limiter), key), StandardCharsets.UTF_8);
    }

    @Test
    void name_isReadable() {
        assertThat(name("api", "user-42")).isEqualTo("sluice:{api:user-42}");
        assertThat(name("api", "käse")).isEqualTo("sluice:{api:käse}");
        assertThat(name("api", "a b:{c}%\u0001")).isEqualTo("sluice:{api:a%20b%3A%7Bc%7D%25%01}");
    }

    @Test
    void differentPairs_haveDifferentKeys() {
        String[] texts = {
            "",
            "a",
            "a:",
            ":a",
            "a:b",
            "{a}",
            "}",
            "{",
            "%",
            "%3A",
            "#",
            "#a",
            "\u0000",
            "\ud800",
            "\udfff",
            "%ud800",
            "\ud83d\ude00",
            "a".repeat(200),
            "a".repeat(201),
            "a".repeat(1_000_000),
            "ä".repeat(100),
            "ä".repeat(101),
            "\ud800".repeat(300),
            "\udfff".repeat(300),
            ":".repeat(100)
        };
        Set<String> seen = new HashSet<>();
        for (String limiter : texts) {
            for (String key : texts) {
                assertThat(seen.add(name(limiter, key)))
                        .as("%.20s and %.20s", limiter, key)
                        .isTrue();
            }
        }
    }

    @Test
    void name_ofAnyText_isBoundedAndHasOneHashTag() {
        Random random = new Random(7);
        for (int i = 0; i < 5000; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(400); n > 0; n--) {
                text.append((char) (random.nextBoolean() ? random.nextInt(128) : random.nextInt(0x10000)));
            }
            byte[] bytes = names.key(names.keyPrefix("api"), text.toString());
            String name = new String(bytes, StandardCharsets.UTF_8);
            assertThat(bytes.length).isLessThanOrEqualTo(7 + 1 + 4 + KeyNames.LONGEST + 1);
            assertThat(name.indexOf('{')).isEqualTo(7).isEqualTo(name.lastIndexOf('{'));
            assertThat(name.indexOf('}')).isEqualTo(name.length() - 1);
            assertThat(SlotHash.getSlot(bytes))
                    .as("the whole id is the tag, and a spill is in its slot")
                    .isEqualTo(SlotHash.getSlot(name.substring(8, name.length() - 1)))
                    .isEqualTo(SlotHash.getSlot(KeyNames.spill(bytes, 3)));
        }
    }

    @Test
    void prefix_thatCouldOpenATag_isRefused() {
        assertThatThrownBy(() -> new KeyNames("a{b"))
                .hasMessage("prefix: \"a{b\" (expected: printable ASCII without spaces and braces, found \"{\")");
        assertThatThrownBy(() -> new KeyNames("")).hasMessageContaining("1 to 200 characters");
    }
}
