package io.sluice.cli.simulate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.CommandRun;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Invalid input ends the run with a message of one line and exit code 2. All decisions before it are written. */
class SimulateErrorsTest {
    private static final String GOOD = "5,a,1\n";
    private static final String DECIDED = CommandRun.DECISIONS + "5,a,1,true,9,0,0,100000\n";
    private static final String NUMBER = " (expected: a whole number from 0 to 9007199254740991)";

    private static void assertRowRefused(String row, String problem) {
        assertThat(CommandRun.rows(GOOD + row))
                .isEqualTo(new CommandRun(2, DECIDED, "sluice simulate: stdin, line 3: " + problem + "\n"));
    }

    private static void assertHeaderRefused(String trace, String problem) {
        assertThat(CommandRun.with(trace, "simulate", "--limit", "10/s"))
                .isEqualTo(new CommandRun(2, "", "sluice simulate: stdin, line 1: " + problem + "\n"));
    }

    @Test
    void time_thatFalls_isRefused() {
        assertRowRefused(
                "4,a,1\n6,a,1\n", "time_us 4 is before 5 of the row above (expected: times that never decrease)");
    }

    @Test
    void time_thatIsNoWholeNumber_isRefused() {
        assertRowRefused("-5,a,1\n", "time_us is \"-5\"" + NUMBER);
        assertRowRefused("+5,a,1\n", "time_us is \"+5\"" + NUMBER);
        assertRowRefused(" 5,a,1\n", "time_us is \" 5\"" + NUMBER);
        assertRowRefused("5.0,a,1\n", "time_us is \"5.0\"" + NUMBER);
        assertRowRefused("1e3,a,1\n", "time_us is \"1e3\"" + NUMBER);
        assertRowRefused("٥,a,1\n", "time_us is \"٥\"" + NUMBER);
        assertRowRefused(",a,1\n", "time_us is nothing" + NUMBER);
    }

    @Test
    void time_thatIsTooLarge_isRefused() {
        assertRowRefused("9007199254740992,a,1\n", "time_us is \"9007199254740992\"" + NUMBER);
        assertRowRefused(
                "99999999999999999999999999999999999999999999999999999999999999999999,a,1\n",
                "time_us is \"999999999999999999999999999999999999999999999999999999999999...\"" + NUMBER);
        assertThat(CommandRun.rows("9007199254740991,a,1\n").exitCode()).isZero();
    }

    @Test
    void permits_thatAreNoWholeNumber_areRefused() {
        assertRowRefused("5,a,-1\n", "permits is \"-1\"" + NUMBER);
        assertRowRefused("5,a,1 \n", "permits is \"1 \"" + NUMBER);
        assertRowRefused("5,a,\n", "permits is nothing" + NUMBER);
        assertRowRefused("5,a,", "permits is nothing" + NUMBER);
        assertRowRefused("5,a,9007199254740992\n", "permits is \"9007199254740992\"" + NUMBER);
    }

    @Test
    void row_withFewerOrMoreFields_isRefused() {
        assertRowRefused("5\n", "only 1 field (expected: time_us,key,permits)");
        assertRowRefused("5,a\n", "only 2 fields (expected: time_us,key,permits)");
        assertRowRefused("5,a", "only 2 fields (expected: time_us,key,permits)");
        assertRowRefused("5;a;1\n", "only 1 field (expected: time_us,key,permits)");
        assertRowRefused("5,a,1,\n", "more than 3 fields (expected: time_us,key,permits)");
        assertRowRefused("\"\"\n", "only 1 field (expected: time_us,key,permits)");
    }

    @Test
    void row_afterAnEmptyLine_isRefused() {
        assertRowRefused("\n6,a,1\n", "an empty line (expected: time_us,key,permits)");
        assertRowRefused("\r\n\n,\n", "an empty line (expected: time_us,key,permits)");
    }

    @Test
    void quotes_thatAreMisplaced_areRefused() {
        assertRowRefused(
                "5,a\"b,1\n", "a quote within \"a\" (expected: the whole field in quotes, and quotes within doubled)");
        assertRowRefused(
                "5,\"a\"b,1\n",
                "text after the closing quote of \"a\""
                        + " (expected: a comma or the end of the line; quotes within are doubled)");
        assertRowRefused(
                "5,\"a,1\n6,b,1\n",
                "the quotes that open \"a,1\\n6,b,1\\n\" are never closed (expected: a closing quote)");
    }

    @Test
    void key_withoutEnd_isRefusedBeforeMemoryIsFull() {
        assertThat(CommandRun.rows("5,\"" + "x".repeat(20_000_000)).err())
                .isEqualTo("sluice simulate: stdin, line 2: a field that begins \"" + "x".repeat(60)
                        + "...\" is too long (expected: at most 16777216 bytes; is a closing quote missing?)\n");
    }

    @Test
    void carriageReturn_withinALine_isRefused() {
        String problem = "a carriage return within a line (expected: a line feed after it, or the field in quotes)";
        assertRowRefused("5,a\rb,1\n", problem);
        assertRowRefused("5,a,1\r", problem);
    }

    @Test
    void key_thatIsNotUtf8_isRefused() {
        String trace = CommandRun.HEADER + GOOD + "5,ab\u00ff,1\n";

        CommandRun ran =
                CommandRun.with(new ByteArrayInputStream(trace.getBytes(ISO_8859_1)), "simulate", "--limit", "10/s");

        assertThat(ran)
                .isEqualTo(new CommandRun(
                        2,
                        DECIDED,
                        "sluice simulate: stdin, line 3: key \"ab\uFFFD\" is not UTF-8: byte 0xFF at byte 3 of it"
                                + " (expected: UTF-8 text)\n"));
    }

    @Test
    void line_afterKeysWithLineBreaks_isCountedAsInTheFile() {
        assertThat(CommandRun.rows("5,\"a\nb\r\nc\",1\nx,a,1\n").err())
                .isEqualTo("sluice simulate: stdin, line 5: time_us is \"x\"" + NUMBER + "\n");
    }

    @Test
    void header_thatIsMissing_isRefused() {
        String expected = " (expected: the header time_us,key,permits)";
        assertHeaderRefused("", "nothing" + expected);
        assertHeaderRefused("\uFEFF", "nothing" + expected);
        assertHeaderRefused("\n5,a,1\n", "an empty line" + expected);
        assertHeaderRefused("5,a,1\n", "\"5,a,1\"" + expected);
        assertHeaderRefused("time_us,key\n", "\"time_us,key\"" + expected);
        assertHeaderRefused("time_us,key,permits,x\n", "\"time_us,key,permits,x\"" + expected);
        assertHeaderRefused("Time_us,key,permits\n", "\"Time_us,key,permits\"" + expected);
        assertHeaderRefused("\"time_us,key\",permits\n", "\"time_us,key,permits\"" + expected);
        assertHeaderRefused(",,,,,,,,,,,,,,,,,,,\n", "\",,,,,,,,\"" + expected);
    }

    @Test
    void file_thatCannotBeRead_isRefused(@TempDir Path directory) {
        Path missing = directory.resolve("missing.csv");

        assertThat(CommandRun.with("", "simulate", "--limit", "10/s", missing.toString()))
                .isEqualTo(new CommandRun(
                        2,
                        "",
                        "sluice simulate: " + missing
                                + ": no such file (expected: a CSV file with the header time_us,key,permits)\n"));
        assertThat(CommandRun.with("", "simulate", "--limit", "10/s", directory.toString()))
                .isEqualTo(new CommandRun(
                        2, "", "sluice simulate: " + directory + ": is a directory (expected: a CSV file)\n"));
    }

    @Test
    void file_withABadRow_isNamed(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("trace.csv"), CommandRun.HEADER + GOOD + "oops\n");

        assertThat(CommandRun.with("", "simulate", "--limit", "10/s", file.toString()))
                .isEqualTo(new CommandRun(
                        2,
                        DECIDED,
                        "sluice simulate: " + file + ", line 3: only 1 field (expected: time_us,key,permits)\n"));
    }

    @Test
    void input_thatBreaks_isRefused() {
        InputStream broken = new FilterInputStream(InputStream.nullInputStream()) {
            @Override
            public int read(byte[] bytes, int from, int count) throws IOException {
                throw new IOException("the disk is gone");
            }
        };

        assertThat(CommandRun.with(broken, "simulate", "--limit", "10/s"))
                .isEqualTo(new CommandRun(2, "", "sluice simulate: stdin: cannot be read: the disk is gone\n"));
    }

    @Test
    void limit_thatIsBad_isRefusedAsTheParserSays() {
        CommandRun ran = CommandRun.with("", "simulate", "--limit", "10/parsec");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err())
                .startsWith("sluice simulate: limit \"10/parsec\", column 4: unit \"parsec\" (expected: one of ms, s, ")
                .hasLineCount(1);
    }

    @Test
    void limit_withALineBreak_isShownOnOneLine() {
        assertThat(CommandRun.with("", "simulate", "--limit", "10\n/s\u001b[31m")
                        .err())
                .hasLineCount(1)
                .doesNotContain("\u001b");
    }
}
