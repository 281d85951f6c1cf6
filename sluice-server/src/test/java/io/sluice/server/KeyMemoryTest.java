package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many keys fit a heap. */
class KeyMemoryTest {
    @ParameterizedTest
    @CsvSource({"128, 58254", "256, 151460", "358, 225735", "1024, 710701", "4096, 2947663"})
    void keys_ofAHeap_areHalfOfWhatTheServerLeaves(long mebibytes, long keys) {
        assertThat(KeyMemory.bytes(mebibytes << 20) / 720).isEqualTo(keys);
    }

    @Test
    void tinyHeap_hasSomeKeysAllTheSame() {
        assertThat(KeyMemory.bytes(16 << 20)).isEqualTo(1 << 20);
    }

    @Test
    void origin_namesTheHeapOfThisProcess() {
        assertThat(KeyMemory.origin())
                .isEqualTo("derived from a heap of " + (Runtime.getRuntime().maxMemory() >> 20) + " MiB");
        assertThat(KeyMemory.keys()).isEqualTo(KeyMemory.bytes() / 720);
    }
}
