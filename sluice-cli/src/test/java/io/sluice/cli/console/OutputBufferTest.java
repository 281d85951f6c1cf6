package io.sluice.cli.console;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OutputBufferTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final OutputBuffer buffer = new OutputBuffer(out);

    @Test
    void number_ofAnySize_isPutInDecimal() {
        StringBuilder expected = new StringBuilder();
        Random random = new Random(1);
        for (long power = 1; power > 0 && power < Long.MAX_VALUE / 10; power *= 10) {
            for (long number : new long[] {power - 1, power, power + 1, -power, random.nextLong(power)}) {
                buffer.put(number);
                buffer.put(' ');
                expected.append(number).append(' ');
            }
        }
        buffer.put(Long.MAX_VALUE);
        buffer.flush();

        assertThat(out.toString(US_ASCII))
                .isEqualTo(expected.append(Long.MAX_VALUE).toString());
    }

    @Test
    void bytes_ofAnyLength_comeInOrder() {
        StringBuilder expected = new StringBuilder();
        for (int length : new int[] {1, 65_535, 2, 65_536, 3, 65_537, 200_000, 4}) {
            String text = String.valueOf((char) ('a' + length % 26)).repeat(length);
            buffer.put(OutputBuffer.ascii(text));
            buffer.put(',');
            expected.append(text).append(',');
        }
        buffer.flush();

        assertThat(out.toString(US_ASCII)).isEqualTo(expected.toString());
    }
}
