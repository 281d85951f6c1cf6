package io.sluice.server.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Damaged bodies are read or refused with an error; nothing else happens. */
class CheckJsonFuzzTest {
    private static final List<String> GOOD = List.of(
            "{\"attributes\":{\"tenant\":\"acme\"},\"permits\":1}",
            "{\n  \"permits\": 0,\n  \"attributes\": {\"tenant\": \"é\uD83D\uDD11\", \"path\": \"\\/a\\u00e9\\n\"}\n}",
            "{\"checks\":[{\"attributes\":{\"a\":\"\",\"b\":\"\\\"\"}},{\"attributes\":{},\"permits\":9007199254740991}]}");

    private static final List<String> SPLICES = List.of(
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
            "\0",
            "\uFEFF",
            "\"permits\":",
            "\"attributes\":{",
            "\"checks\":[",
            "//",
            "'",
            "99999999999999999999",
            "{".repeat(3000));

    private static byte[] mutated(Random random) {
        byte[] body = GOOD.get(random.nextInt(GOOD.size())).getBytes(UTF_8);
        for (int changes = random.nextInt(4); changes >= 0; changes--) {
            int at = random.nextInt(body.length + 1);
            int end = at + random.nextInt(Math.min(8, body.length - at) + 1);
            byte[] splice = switch (random.nextInt(3)) {
                case 0 -> new byte[0];
                case 1 -> new byte[] {(byte) random.nextInt(256)};
                default -> SPLICES.get(random.nextInt(SPLICES.size())).getBytes(UTF_8);
            };
            byte[] changed = Arrays.copyOf(body, at + splice.length + body.length - end);
            System.arraycopy(splice, 0, changed, at, splice.length);
            System.arraycopy(body, end, changed, at + splice.length, body.length - end);
            body = changed;
        }
        return body;
    }

    @Test
    void damagedBody_isReadOrRefused() {
        CheckJson json = new CheckJson(64, 4096);
        int read = 0;
        for (int seed = 0; seed < 10_000; seed++) {
            byte[] body = mutated(new Random(seed));
            try {
                if (seed % 2 == 0) {
                    json.check(body);
                } else {
                    json.batch(body, 1000);
                }
                read++;
            } catch (JsonInputException e) {
                assertThat(e.offset()).as("seed %d", seed).isBetween(0, body.length);
                assertThat(e.getMessage())
                        .as("seed %d", seed)
                        .isNotBlank()
                        .hasSizeLessThan(400)
                        .doesNotContain("Source", "Exception");
            } catch (RuntimeException | Error e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
        assertThat(read).isBetween(100, 9_000);
    }
}
