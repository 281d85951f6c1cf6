package io.sluice.server.simulate.trace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeyCacheTest {
    private final KeyCache table = new KeyCache();

    private TraceKey get(String text) {
        byte[] bytes = (text + "#").getBytes(UTF_8);
        return table.get(bytes, bytes.length - 1);
    }

    @Test
    void key_askedForAgain_isTheSameObject() {
        assertThat(get("alice")).isSameAs(get("alice")).isNotSameAs(get("alicf"));
        assertThat(get("")).isSameAs(get(""));
    }

    @Test
    void keys_withTheSameHash_areKeptApart() {
        assertThat(get("Aa").text()).isEqualTo("Aa");
        assertThat(get("BB").text()).isEqualTo("BB");
        assertThat(get("Aa")).isSameAs(get("Aa"));
        assertThat(get("BB")).isSameAs(get("BB"));
    }

    @Test
    void keys_moreThanFit_areStillRight() {
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 300_000; i++) {
                TraceKey key = get("key-" + i);
                assertThat(key.text()).isEqualTo("key-" + i);
            }
        }
    }
}
