package io.sluice.cli.simulate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.CommandRun;
import io.sluice.cli.PolicyFixtures;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Valid and invalid lines of requests, and their error messages. */
class SimulateConfigInputTest {
    private static final String GOOD = "{\"time_us\":5,\"attributes\":{\"a\":\"b\"}}";
    private static final String DECIDED =
            "{\"time_us\":5,\"allowed\":true,\"retry_after_us\":0,\"delay_us\":0,\"violated\":[],\"results\":[]}\n";

    @TempDir
    Path directory;

    private Path config;

    @BeforeEach
    void writeConfig() {
        config = PolicyFixtures.file(directory, "policies.yaml", "  []\n");
    }

    private CommandRun simulate(InputStream in) {
        return CommandRun.with(in, "simulate", "--config", config.toString());
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
            out.write(text.getBytes(UTF_8));
        }
        return zipped.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                GOOD,
                GOOD + "\n",
                GOOD + "\r\n",
                GOOD + "\n\n \n\r\n",
                "\uFEFF" + GOOD + "\n",
                "  " + GOOD + "\t \n",
                "{ \"permits\" : 3 , \"attributes\" : { } , \"time_us\" : 5 }\n",
                "{\"time\\u005fus\":5,\"attributes\":{}}\n",
                "{\"time_us\":5,\"attributes\":{\"\":\"\"},\"permits\":9007199254740991}\n"
            })
    void request_inAnyGoodForm_isRead(String lines) {
        assertThat(PolicyFixtures.simulate(config, lines)).isEqualTo(new CommandRun(0, DECIDED, ""));
    }

    @Test
    void input_thatIsEmpty_givesNothing() {
        assertThat(PolicyFixtures.simulate(config, "")).isEqualTo(new CommandRun(0, "", ""));
        assertThat(PolicyFixtures.simulate(config, "\n\n")).isEqualTo(new CommandRun(0, "", ""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"time_us":4,"attributes":{}}  |: time_us 4 is before 5 of the line above (expected: times that never decrease)
            {"attributes":{}}              |, column 17: no time_us (expected: {"time_us":...,"attributes":{...}})
            {"time_us":5}                  |, column 13: no attributes (expected: {"time_us":...,"attributes":{...}}, with {} for none)
            {"time_us":-5,"attributes":{}} |, column 12: time_us is -5 (expected: a whole number from 0 to 9007199254740991)
            {"time_us":5.0,"attributes":{}}|, column 12: time_us is 5.0 (expected: a whole number from 0 to 9007199254740991)
            {"time_us":1e3,"attributes":{}}|, column 12: time_us is 1e3 (expected: a whole number from 0 to 9007199254740991)
            {"time_us":"5","attributes":{}}|, column 12: time_us is "5" (expected: a whole number from 0 to 9007199254740991)
            {"time_us":null}               |, column 12: time_us is null (expected: a whole number from 0 to 9007199254740991)
            {"time_us":9007199254740992}   |, column 12: time_us is 9007199254740992 (expected: a whole number from 0 to 9007199254740991)
            {"time_us":99999999999999999999999999}|, column 12: time_us is 99999999999999999999999999 (expected: a whole number from 0 to 9007199254740991)
            {"time_us":5,"time_us":5}      |, column 14: time_us a second time (expected: once)
            {"time_us":5,"permits":1,"permits":1}|, column 26: permits a second time (expected: once)
            {"attributes":{},"attributes":{}}|, column 18: attributes a second time (expected: once)
            {"time_us":5,"permits":-1}     |, column 24: permits is -1 (expected: a whole number from 0 to 9007199254740991)
            {"time_us":5,"permits":true}   |, column 24: permits is true (expected: a whole number from 0 to 9007199254740991)
            {"time_us":5,"permits":[1]}    |, column 24: permits is an array (expected: a whole number from 0 to 9007199254740991)
            {"time":5}                     |, column 2: unknown field "time" (expected: time_us, attributes, permits, signals)
            {"attributes":[]}              |, column 15: attributes is an array (expected: an object such as {"tenant":"acme"})
            {"attributes":"a=b"}           |, column 15: attributes is "a=b" (expected: an object such as {"tenant":"acme"})
            {"attributes":null}            |, column 15: attributes is null (expected: an object such as {"tenant":"acme"})
            {"attributes":{"é":"","p":80}} |, column 27: attribute "p" is 80 (expected: a text, as in "80")
            {"attributes":{"p":false}}     |, column 20: attribute "p" is false (expected: a text, as in "false")
            {"attributes":{"p":null}}      |, column 20: attribute "p" is null (expected: a text, or no such attribute)
            {"attributes":{"p":{}}}        |, column 20: attribute "p" is an object (expected: a text)
            {"attributes":{"p":["a"]}}     |, column 20: attribute "p" is an array (expected: a text)
            {"attributes":{"p":"","p":""}} |, column 23: attribute "p" a second time (expected: once)
            {"time_us":5                   |, column 13: the line ends within the request (expected: all of it on one line)
            {                              |, column 2: the line ends within the request (expected: all of it on one line)
            {"attributes":{"a":"b          |, column 22: the line ends within the request (expected: all of it on one line)
            {"time_us":5,"attributes":{}} 7|, column 31: more after the request (expected: the end of the line)
            {"time_us":5,"attributes":{}}{}|, column 30: more after the request (expected: the end of the line)
            [5]                            |, column 1: not a JSON object: "[5]" (expected: {"time_us":...,"attributes":{...}})
            time_us,key,permits            |, column 1: not a JSON object: "time_us,key,permits" (expected: {"time_us":...,"attributes":{...}})
            """)
    void line_thatIsBad_isRefusedAfterAllBeforeItWereWritten(String line, String problem) {
        assertThat(PolicyFixtures.simulate(config, GOOD + "\n" + line + "\n" + GOOD + "\n"))
                .isEqualTo(new CommandRun(2, DECIDED, "sluice simulate: stdin, line 2" + problem + "\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"time_us\":05,\"attributes\":{}}",
                "{'time_us':5}",
                "{time_us:5}",
                "{\"time_us\":5,}",
                "{\"time_us\":+5}",
                "{\"time_us\":NaN}",
                "{\"attributes\":{\"a\":\"\t\"}}",
                "{\"attributes\":{\"a\":\"\\x\"}}",
                "{\"attributes\":{\"a\":\"b\"]}",
                "{\"time_us\":5,\"attributes\":{}} // why",
                "{\"time_us\":5;\"attributes\":{}}"
            })
    void line_thatIsNotJson_isRefusedInPlainWords(String line) {
        CommandRun ran = PolicyFixtures.simulate(config, line);

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .matches("sluice simulate: stdin, line 1, column [0-9]+: not JSON: [^\n]+\n")
                .doesNotContain("Source", "JsonParser", "Feature");
    }

    @Test
    void line_thatIsEmptyBetweenOthers_isRefused() {
        assertThat(PolicyFixtures.simulate(config, GOOD + "\n\n \n" + GOOD + "\n"))
                .isEqualTo(
                        new CommandRun(
                                2,
                                DECIDED,
                                "sluice simulate: stdin, line 2: an empty line (expected: {\"time_us\":...,\"attributes\":{...}})\n"));
    }

    @Test
    void bytes_thatAreNotUtf8_areRefused() {
        String line = "{\"time_us\":5,\"attributes\":{\"a\":\"\u00ff\"}}";

        assertThat(simulate(new ByteArrayInputStream(line.getBytes(ISO_8859_1))).err())
                .isEqualTo(
                        "sluice simulate: stdin, line 1, column 33: byte 0xFF is not UTF-8 (expected: UTF-8 text)\n");
        assertThat(simulate(new ByteArrayInputStream(GOOD.getBytes(java.nio.charset.StandardCharsets.UTF_16LE)))
                        .err())
                .startsWith("sluice simulate: stdin, line 1, column 1: not a JSON object: ")
                .hasLineCount(1);
    }

    @Test
    void line_withoutEnd_isRefusedBeforeMemoryIsFull() {
        assertThat(PolicyFixtures.simulate(config, GOOD + "\n" + "x".repeat(20_000_000))
                        .err())
                .isEqualTo("sluice simulate: stdin, line 2: a line that begins \"" + "x".repeat(60)
                        + "...\" is too long (expected: at most 16777216 bytes)\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 65_500, 65_536, 65_537, 300_000, 5_000_000})
    void value_ofAnyLength_isRead(int length) {
        String line = "{\"time_us\":5,\"attributes\":{\"a\":\"" + "x".repeat(length) + "\"}}\n";

        assertThat(PolicyFixtures.simulate(config, line + line)).isEqualTo(new CommandRun(0, DECIDED + DECIDED, ""));
    }

    @Test
    void lines_thatComeByteByByte_areRead() {
        InputStream dripping = new FilterInputStream(new ByteArrayInputStream((GOOD + "\r\n" + GOOD).getBytes(UTF_8))) {
            @Override
            public int read(byte[] bytes, int from, int count) throws IOException {
                return super.read(bytes, from, Math.min(1, count));
            }
        };

        assertThat(simulate(dripping)).isEqualTo(new CommandRun(0, DECIDED + DECIDED, ""));
    }

    @Test
    void input_thatIsGzipped_isUnzipped() throws IOException {
        byte[] zipped = gzip((GOOD + "\n").repeat(10_000));

        assertThat(simulate(new ByteArrayInputStream(zipped))).isEqualTo(new CommandRun(0, DECIDED.repeat(10_000), ""));
        assertThat(simulate(new ByteArrayInputStream(zipped, 0, zipped.length / 2)))
                .returns(2, CommandRun::exitCode)
                .satisfies(ran -> assertThat(ran.err())
                        .startsWith("sluice simulate: stdin: cannot be read: ")
                        .hasLineCount(1));
        assertThat(CommandRun.with(
                        new ByteArrayInputStream(gzip(CommandRun.HEADER + "5,a,1\n")), "simulate", "--limit", "10/s"))
                .isEqualTo(new CommandRun(0, CommandRun.DECISIONS + "5,a,1,true,9,0,0,100000\n", ""));
    }

    @Test
    void file_isReadAndNamed() throws IOException {
        Path file = Files.writeString(directory.resolve("r.jsonl"), GOOD + "\noops\n");

        assertThat(PolicyFixtures.simulate(config, "", file.toString()))
                .isEqualTo(
                        new CommandRun(
                                2,
                                DECIDED,
                                "sluice simulate: " + file
                                        + ", line 2, column 1: not a JSON object: \"oops\" (expected: {\"time_us\":...,\"attributes\":{...}})\n"));
        assertThat(PolicyFixtures.simulate(config, "", "missing.jsonl").err())
                .isEqualTo(
                        "sluice simulate: missing.jsonl: no such file (expected: a file of requests, one JSON object per line)\n");
    }

    @Test
    void config_thatCannotBeUsed_isRefused() throws IOException {
        Path bad = Files.writeString(
                directory.resolve("bad.yaml"), "version: 1\npolicies:\n  - { name: a, limit: 1/x }\n");

        assertThat(PolicyFixtures.simulate(bad, GOOD))
                .returns(2, CommandRun::exitCode)
                .returns("", CommandRun::out)
                .satisfies(ran -> assertThat(ran.err())
                        .startsWith(bad + ":3:25: error: limit: \"1/x\"")
                        .hasLineCount(1));
        assertThat(PolicyFixtures.simulate(directory.resolve("no.yaml"), GOOD).err())
                .isEqualTo("sluice simulate: " + directory.resolve("no.yaml")
                        + ": no such file (expected: a policy file, in YAML)\n");
        assertThat(PolicyFixtures.simulate(directory, GOOD).err())
                .isEqualTo("sluice simulate: " + directory + ": is a directory (expected: a policy file, in YAML)\n");
    }

    @Test
    void config_thatIsADash_isStandardInput() throws IOException {
        String requests =
                Files.writeString(directory.resolve("requests"), GOOD + "\n").toString();
        String policies = Files.readString(config);

        assertThat(CommandRun.with(policies, "simulate", "--config", "-", requests))
                .isEqualTo(new CommandRun(0, DECIDED, ""));
        assertThat(CommandRun.with(policies, "simulate", "--config", config.toString(), "--diff", "-", requests))
                .returns(0, CommandRun::exitCode)
                .returns("", CommandRun::err);
    }

    @Test
    void standardInput_thatWouldBeTwoThings_isMisuse() {
        assertMisused(
                "--config - without FILE (expected: a file of requests, as standard input has the policies)",
                "--config",
                "-");
        assertMisused(
                "--diff - without FILE (expected: a file of requests, as standard input has the policies)",
                "--config",
                config.toString(),
                "--diff",
                "-",
                "-");
        assertMisused(
                "--config - and --diff - (expected: one of them from a file)",
                "--config",
                "-",
                "--diff",
                "-",
                config.toString());
    }

    private static void assertMisused(String problem, String... options) {
        String[] args = new String[options.length + 1];
        args[0] = "simulate";
        System.arraycopy(options, 0, args, 1, options.length);

        assertThat(CommandRun.with("", args))
                .isEqualTo(new CommandRun(2, "", "sluice simulate: " + problem + "\ntry: sluice simulate --help\n"));
    }
}
