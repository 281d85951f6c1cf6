package io.sluice.server.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.Random;

/** Streams of commands with small mutations. */
final class RespMutations {
    private static final String[] POISON = {
        "*",
        "$",
        "-1",
        "\r\n",
        "\n",
        "\r",
        "*1\r\n*1\r\n",
        "$999999999\r\n",
        "*-5\r\n",
        "99999999999",
        "\0",
        "\"",
        "'",
        ":1\r\n"
    };

    private RespMutations() {}

    static byte[] mutate(byte[] stream, Random random) {
        byte[] bytes = stream.clone();
        for (int n = 1 + random.nextInt(4); n > 0; n--) {
            bytes = once(bytes, random);
        }
        return bytes;
    }

    private static byte[] once(byte[] bytes, Random random) {
        int at = random.nextInt(bytes.length + 1);
        int to = Math.min(bytes.length, at + random.nextInt(9));
        return switch (random.nextInt(4)) {
            case 0 -> {
                if (at < bytes.length) {
                    bytes[at] = (byte) random.nextInt(256);
                }
                yield bytes;
            }
            case 1 -> joined(bytes, at, POISON[random.nextInt(POISON.length)].getBytes(ISO_8859_1), at);
            case 2 -> joined(bytes, at, new byte[0], to);
            default -> joined(bytes, at, Arrays.copyOfRange(bytes, at, to), at);
        };
    }

    private static byte[] joined(byte[] bytes, int to, byte[] middle, int from) {
        byte[] joined = new byte[to + middle.length + bytes.length - from];
        System.arraycopy(bytes, 0, joined, 0, to);
        System.arraycopy(middle, 0, joined, to, middle.length);
        System.arraycopy(bytes, from, joined, to + middle.length, bytes.length - from);
        return joined;
    }
}
