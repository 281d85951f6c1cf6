package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The number of keys that fit a heap. */
class KeyMemoryTest {
    @ParameterizedTest
    @CsvSource({"128, 58254", "256, 151460", "358, 225735", "1024, 710701", "4096, 2947663"})
    void keyMemory_isHalfOfTheHeapWithoutTheServer(long mebibytes, long keys) {
        assertThat(KeyMemory.bytes(mebibytes << 20) / 720).isEqualTo(keys);
    }

    @Test
    void tinyHeap_stillHasSomeKeys() {
        assertThat(KeyMemory.bytes(16 << 20)).isEqualTo(1 << 20);
    }

    @Test
    void description_namesTheHeapOfThisProcess() {
        assertThat(KeyMemory.description())
                .isEqualTo("derived from a heap of " + (Runtime.getRuntime().maxMemory() >> 20) + " MiB");
        assertThat(KeyMemory.keys()).isEqualTo(KeyMemory.bytes() / 720);
    }
}
