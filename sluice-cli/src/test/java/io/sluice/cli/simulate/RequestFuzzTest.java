package io.sluice.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.CommandRun;
import io.sluice.cli.PolicyFixtures;
import io.sluice.server.json.DisplayText;
import io.sluice.server.simulate.trace.InvalidTraceException;
import io.sluice.server.simulate.trace.JsonRequestReader;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A damaged line is either read, or refused with a message of one line. */
class RequestFuzzTest {
    private static final String[] GOOD = {
        "{\"time_us\":0,\"attributes\":{\"tenant\":\"acme\"},\"permits\":1}",
        "{\"time_us\":1700000000000000,\"attributes\":{\"tenant\":\"é\uD83D\uDD11\",\"path\":\"\\/a\\u00e9\\n\"}}",
        "{ \"permits\" : 0 , \"attributes\" : { } , \"time_us\" : 9007199254740991 }",
        "{\"attributes\":{\"a\":\"\",\"b\":\"\\\"\",\"c\":\"\\\\\"},\"time_us\":12}"
    };
    private static final String[] SPLICES = {
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\\",
        ":",
        ",",
        "null",
        "1e999",
        "-",
        "0",
        "\\u",
        "\\ud800",
        "\n",
        "\r",
        "\0",
        " ",
        "\uFEFF",
        "\"time_us\":",
        "\"attributes\":{",
        "//",
        "/*",
        "#",
        "'",
        "99999999999999999999",
        "{".repeat(3000)
    };

    private static byte[] mutated(Random random) {
        byte[] line = GOOD[random.nextInt(GOOD.length)].getBytes(UTF_8);
        for (int changes = random.nextInt(4); changes >= 0; changes--) {
            int at = random.nextInt(line.length + 1);
            int end = at + random.nextInt(Math.min(8, line.length - at) + 1);
            byte[] splice = switch (random.nextInt(3)) {
                case 0 -> new byte[0];
                case 1 -> new byte[] {(byte) random.nextInt(256)};
                default -> SPLICES[random.nextInt(SPLICES.length)].getBytes(UTF_8);
            };
            byte[] changed = Arrays.copyOf(line, at + splice.length + line.length - end);
            System.arraycopy(splice, 0, changed, at, splice.length);
            System.arraycopy(line, end, changed, at + splice.length, line.length - end);
            line = changed;
        }
        return line;
    }

    @Test
    void line_thatIsDamaged_isReadOrRefused() {
        int read = 0;
        for (int seed = 0; seed < 10_000; seed++) {
            JsonRequestReader reader =
                    new JsonRequestReader("stdin", new ByteArrayInputStream(mutated(new Random(seed))));
            try {
                while (reader.next() != null) {
                    read++;
                }
            } catch (InvalidTraceException e) {
                assertThat(DisplayText.onOneLine(String.valueOf(e.getMessage())))
                        .as("seed %d", seed)
                        .matches("stdin, line [0-9]+(, column [0-9]+)?: .*")
                        .hasSizeLessThan(400)
                        .doesNotContain("Source", "Exception");
            } catch (RuntimeException | Error e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
        assertThat(read).isBetween(100, 9_000);
    }

    @Test
    void run_onDamagedLines_endsWithZeroOrTwo(@TempDir Path directory) {
        Path config = PolicyFixtures.file(directory, "p.yaml", "  - { name: p, key: [tenant], limit: 1/s }\n");
        for (int seed = 0; seed < 300; seed++) {
            CommandRun ran = CommandRun.with(
                    new ByteArrayInputStream(mutated(new Random(seed))), "simulate", "--config", config.toString());

            assertThat(ran.exitCode()).as("seed %d", seed).isIn(0, 2);
            assertThat(ran.err()).as("seed %d", seed).hasLineCount(ran.exitCode() == 0 ? 0 : 1);
        }
    }
}
