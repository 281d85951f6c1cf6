package io.sluice.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlotsTest {
    /** As CLUSTER KEYSLOT says. */
    @ParameterizedTest
    @CsvSource({
        "123456789, 12739",
        "foo, 12182",
        "x{foo}y{bar}, 12182",
        "foo{}{bar}, 8363",
        "foo{{bar}}zap, 4015",
        "ключ, 10303"
    })
    void slot_ofKey_isThatOfRedis(String key, int slot) {
        assertThat(Slots.of(key)).isEqualTo(slot);
    }
}
