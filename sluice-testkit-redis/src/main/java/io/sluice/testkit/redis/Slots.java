package io.sluice.testkit.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Computes the cluster slot of a key, as the cluster specification says. */
final class Slots {
    static final int COUNT = 16_384;

    private Slots() {}

    static int of(String key) {
        return crc16(hashed(key).getBytes(UTF_8)) % COUNT;
    }

    /** The text between the first opening brace and the next closing one, if it is not empty; else the key. */
    private static String hashed(String key) {
        int open = key.indexOf('{');
        int close = open < 0 ? -1 : key.indexOf('}', open);
        return close > open + 1 ? key.substring(open + 1, close) : key;
    }

    /** CRC-16/XMODEM. */
    private static int crc16(byte[] bytes) {
        int crc = 0;
        for (byte b : bytes) {
            crc ^= (b & 0xFF) << 8;
            for (int i = 0; i < 8; i++) {
                crc = (crc & 0x8000) == 0 ? crc << 1 : (crc << 1) ^ 0x1021;
            }
        }
        return crc & 0xFFFF;
    }
}
