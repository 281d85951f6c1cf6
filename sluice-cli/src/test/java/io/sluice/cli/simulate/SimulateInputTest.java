package io.sluice.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.CommandRun;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulateInputTest {
    private static final String ONE_ROW = CommandRun.DECISIONS + "5,a,1,true,9,0,0,100000\n";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "time_us,key,permits\n5,a,1\n",
                "time_us,key,permits\n5,a,1",
                "time_us,key,permits\n5,a,1\n\n",
                "time_us,key,permits\n5,a,1\n\n\r\n",
                "time_us,key,permits\r\n5,a,1\r\n",
                "time_us,key,permits\r\n5,a,1",
                "\uFEFFtime_us,key,permits\n5,a,1\n",
                "\uFEFF\"time_us\",\"key\",\"permits\"\n\"5\",\"a\",\"1\"\n",
                "time_us,key,permits\n5,\"a\",1\n",
                "time_us,key,permits\n0005,a,00000000000000000000000001\n"
            })
    void trace_inAnyGoodForm_isRead(String trace) {
        assertThat(CommandRun.with(trace, "simulate", "--limit", "10/s")).isEqualTo(new CommandRun(0, ONE_ROW, ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " a ",
                "\\",
                "'",
                "é",
                "鍵\uD83D\uDD11",
                "\uFFFD",
                "a\tb",
                "\u0000",
                "\"a,b\"",
                "\"a\"\"b\"",
                "\"\"\"\"",
                "\"a\nb\"",
                "\"a\r\nb\"",
                "\"a\rb\"",
                "\"\n\"",
                "\uFEFFa"
            })
    void key_ofAnyText_comesOutAsItCameIn(String key) {
        CommandRun ran = CommandRun.rows("5," + key + ",1\n");

        assertThat(ran).isEqualTo(new CommandRun(0, CommandRun.DECISIONS + "5," + key + ",1,true,9,0,0,100000\n", ""));
    }

    @Test
    void key_inNeedlessQuotes_isTheSameKey() {
        CommandRun ran = CommandRun.rows("5,a b,1\n5,\"a b\",1\n");

        assertThat(ran.out())
                .isEqualTo(CommandRun.DECISIONS + "5,a b,1,true,9,0,0,100000\n5,a b,1,true,8,0,0,200000\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {255, 256, 257, 65_535, 65_536, 65_537, 300_000})
    void key_ofAnyLength_isRead(int length) {
        String key = "x".repeat(length);

        CommandRun ran = CommandRun.rows("5," + key + ",1\n5,\"" + key + "\",1\n");

        assertThat(ran.out())
                .isEqualTo(CommandRun.DECISIONS + "5," + key + ",1,true,9,0,0,100000\n5," + key
                        + ",1,true,8,0,0,200000\n");
    }

    @Test
    void trace_thatComesByteByByte_isRead() {
        String trace = "\uFEFFtime_us,key,permits\r\n5,\"a,\"\"\r\né\",1\r\n6,b,2";

        CommandRun ran = CommandRun.with(new Dripping(trace), "simulate", "--limit", "10/s");

        assertThat(ran)
                .isEqualTo(new CommandRun(
                        0,
                        CommandRun.DECISIONS + "5,\"a,\"\"\r\né\",1,true,9,0,0,100000\n6,b,2,true,8,0,0,200000\n",
                        ""));
    }

    @Test
    void trace_longerThanAnyBuffer_isReadToTheEnd() {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < 50_000; i++) {
            rows.append(i).append(",key-").append(i % 70).append(",1\n");
        }

        CommandRun ran = CommandRun.rows(rows.toString());

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out().lines().skip(1).map(line -> line.substring(0, line.indexOf(",1,") + 2)))
                .containsExactlyElementsOf(rows.toString().lines().toList());
    }

    @Test
    void trace_withoutRows_givesTheHeader() {
        assertThat(CommandRun.rows("")).isEqualTo(new CommandRun(0, CommandRun.DECISIONS, ""));
    }

    @Test
    void trace_fromAFile_isRead(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("trace.csv"), "time_us,key,permits\n5,a,1\n");

        assertThat(CommandRun.with("", "simulate", "--limit", "10/s", file.toString()))
                .isEqualTo(new CommandRun(0, ONE_ROW, ""));
    }

    @Test
    void trace_fromDash_isStandardInput() {
        CommandRun ran = CommandRun.with("time_us,key,permits\n5,a,1\n", "simulate", "--limit", "10/s", "-");

        assertThat(ran).isEqualTo(new CommandRun(0, ONE_ROW, ""));
    }

    @Test
    void permits_ofZero_onlyLook() {
        assertThat(CommandRun.rows("5,a,0\n").out()).isEqualTo(CommandRun.DECISIONS + "5,a,0,true,10,0,0,0\n");
    }

    @Test
    void permits_aboveTheBurst_areNeverAllowed() {
        assertThat(CommandRun.rows("5,a,9007199254740991\n").out())
                .isEqualTo(CommandRun.DECISIONS + "5,a,9007199254740991,false,10,-1,0,0\n");
    }

    @Test
    void limit_thatIsUnlimited_printsZeroRemaining() {
        CommandRun ran = CommandRun.with("time_us,key,permits\n5,a,3\n", "simulate", "--limit", "unlimited");

        assertThat(ran.out()).isEqualTo(CommandRun.DECISIONS + "5,a,3,true,0,0,0,0\n");
    }

    /** Gives one byte at a time, like a slow pipe. */
    private static final class Dripping extends FilterInputStream {
        Dripping(String text) {
            super(new ByteArrayInputStream(text.getBytes(UTF_8)));
        }

        @Override
        public int read(byte[] bytes, int from, int count) throws IOException {
            return super.read(bytes, from, Math.min(1, count));
        }
    }
}
