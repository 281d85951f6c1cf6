package io.sluice.server.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RespReaderTest {
    private static final String STREAM = String.join(
            "\r\n",
            "*2",
            "$4",
            "ECHO",
            "$5",
            "a\r\nb\n",
            "*0",
            "*-1",
            "PING",
            "",
            "*1",
            "$4",
            "PING",
            "  set 'a b' \"\\x41\\n\\\"\"  \n*3",
            "$0",
            "",
            "$1",
            "x",
            "$12",
            "abcdefghijkl",
            "");

    private static final List<List<String>> COMMANDS = List.of(
            List.of("ECHO", "a\r\nb\n"),
            List.of("PING"),
            List.of("PING"),
            List.of("set", "a b", "A\n\""),
            List.of("", "x", "abcdefghijkl"));

    /** Reads as a connection does: with a shared reader, and with its own reader for an incomplete command. */
    private static final class Stream {
        private final CommandReader shared = new CommandReader(16);
        private final List<List<String>> commands = new ArrayList<>();
        private CommandReader rest = shared;

        Stream read(byte[] bytes, int from, int to) throws ProtocolException {
            Buffer part = Buffer.buffer().appendBytes(bytes, from, to - from);
            if (rest == shared) {
                shared.load(part);
            } else {
                rest.append(part);
            }
            while (rest.next()) {
                Arguments in = rest.arguments();
                List<String> command = new ArrayList<>();
                for (int i = 0; i < in.count(); i++) {
                    command.add(new String(in.bytes(i), ISO_8859_1));
                }
                assertThat(command).isNotEmpty();
                commands.add(command);
            }
            rest = rest.isDone() ? shared : rest == shared ? shared.split() : rest;
            // Meanwhile other connections use the shared reader.
            shared.load(Buffer.buffer("*1\r\n$999\r\nzzzzzzzzzzzzzzzzzzzzz"));
            if (rest != shared) {
                shared.next();
            }
            return this;
        }
    }

    private static List<List<String>> read(String text) throws ProtocolException {
        byte[] bytes = text.getBytes(ISO_8859_1);
        return new Stream().read(bytes, 0, bytes.length).commands;
    }

    @Test
    void next_everySplitInTwo_givesTheSameCommands() throws ProtocolException {
        byte[] bytes = STREAM.getBytes(ISO_8859_1);
        for (int i = 0; i <= bytes.length; i++) {
            assertThat(new Stream().read(bytes, 0, i).read(bytes, i, bytes.length).commands)
                    .as("split at %d", i)
                    .isEqualTo(COMMANDS);
        }
    }

    @Test
    void next_byteByByte_givesTheSameCommands() throws ProtocolException {
        byte[] bytes = STREAM.getBytes(ISO_8859_1);
        Stream stream = new Stream();
        for (int i = 0; i < bytes.length; i++) {
            stream.read(bytes, i, i + 1);
        }
        assertThat(stream.commands).isEqualTo(COMMANDS);
    }

    @Test
    void next_randomParts_givesTheSameCommands() throws ProtocolException {
        Random random = new Random(7);
        byte[] bytes = STREAM.repeat(20).getBytes(ISO_8859_1);
        for (int round = 0; round < 200; round++) {
            Stream stream = new Stream();
            for (int i = 0; i < bytes.length; ) {
                int to = Math.min(bytes.length, i + 1 + random.nextInt(60));
                stream.read(bytes, i, to);
                i = to;
            }
            assertThat(stream.commands).hasSize(100).startsWith(COMMANDS.get(0)).endsWith(COMMANDS.get(4));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "*1~$999999999~|invalid bulk length",
                "*1~$99999999999999999999|invalid bulk length",
                "*1~$65537~|invalid bulk length",
                "*1~$65530~|command of more than 65536 bytes",
                "*2~$30000~%30000~$40000~|command of more than 65536 bytes",
                "*1~$-1~|invalid bulk length",
                "*1~$-2147483648~|invalid bulk length",
                "*1~$~|invalid bulk length",
                "*1~$1x~|invalid bulk length",
                "*1~$+1~|invalid bulk length",
                "*-5~|invalid multibulk length",
                "*-2147483648~|invalid multibulk length",
                "*2147483647~|invalid multibulk length",
                "*18446744073709551617~|invalid multibulk length",
                "*10923~|invalid multibulk length",
                "*~|invalid multibulk length",
                "*1 ~|invalid multibulk length",
                "*1~*1~$4~PING~|expected '$', got '*'",
                "*1~:5~|expected '$', got ':'",
                "*1~%1|expected '$', got 'x'",
                "*1~$4~PINGPING|no CRLF after a bulk of 4 bytes",
                "'unbalanced~|unbalanced quotes in request",
                "\"also\"so~|unbalanced quotes in request",
                "%65537|too big inline request",
            })
    void next_malformed_isRefused(String text, String message) {
        String bytes = text.replace("~", "\r\n");
        int fill = bytes.indexOf('%');
        if (fill >= 0) {
            int end = fill + 1;
            while (end < bytes.length() && Character.isDigit(bytes.charAt(end))) {
                end++;
            }
            bytes = bytes.substring(0, fill)
                    + "x".repeat(Integer.parseInt(bytes.substring(fill + 1, end)))
                    + bytes.substring(end);
        }
        String malformed = bytes;
        assertThatThrownBy(() -> read(malformed))
                .isInstanceOf(ProtocolException.class)
                .hasMessage(message);
        assertThatThrownBy(() -> read("PING\r\n" + malformed)).hasMessage(message);
    }

    @Test
    void next_otherProtocols_areRefusedAtOnce() {
        assertThatThrownBy(() -> read("\u0016\u0003\u0001")).hasMessage("expected '*' or text, got '0x16'");
        assertThatThrownBy(() -> read("\u00ff")).hasMessage("expected '*' or text, got '0xff'");
        assertThatThrownBy(() -> read("\u0000")).hasMessage("expected '*' or text, got '0x00'");
    }

    @Test
    void next_aCommandOfTheLargestSize_isRead() throws ProtocolException {
        String head = "*2\r\n$4\r\nECHO\r\n$65512\r\n";
        String command = head + "y".repeat(65_512) + "\r\n";
        assertThat(command).hasSize(CommandReader.MAX_BYTES);
        assertThat(read(command + command)).hasSize(2);
    }

    @Test
    void number_asRedisCellReadsThem() {
        assertThat(number("9223372036854775807")).isEqualTo(Long.MAX_VALUE);
        assertThat(number("-9223372036854775808")).isEqualTo(Long.MIN_VALUE);
        assertThat(number("+007")).isEqualTo(7);
        for (String bad :
                List.of("9223372036854775808", "-9223372036854775809", "", "-", "+", "1.0", " 1", "1e3", "0x1")) {
            assertThatThrownBy(() -> number(bad)).hasMessage("ERR Cell error: Couldn't parse as integer: " + bad);
        }
    }

    private static long number(String text) {
        Arguments in = new Arguments();
        in.bytes = text.getBytes(ISO_8859_1);
        in.add(0, text.length());
        try {
            return in.number(0);
        } catch (CommandException e) {
            throw new IllegalArgumentException(e.getMessage());
        }
    }

    @Test
    void next_20000MutatedStreams_neverBreakIt() {
        Random random = new Random(42);
        int refused = 0;
        int read = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = RespMutations.mutate(STREAM.getBytes(ISO_8859_1), random);
            Stream stream = new Stream();
            try {
                int middle = random.nextInt(bytes.length + 1);
                stream.read(bytes, 0, middle).read(bytes, middle, bytes.length);
            } catch (ProtocolException e) {
                refused++;
            }
            read += stream.commands.size();
        }
        assertThat(refused).isBetween(5_000, 19_000);
        assertThat(read).isGreaterThan(20_000);
    }
}
