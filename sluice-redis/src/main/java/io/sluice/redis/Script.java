package io.sluice.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Collectors;

/**
 * A Lua script, and the digest under which Redis knows it.
 *
 * @param text what it says
 * @param digest in hexadecimal
 */
record Script(String text, String digest) {
    /** Decides; see {@code head.lua}. */
    static final Script DECIDE = of(
            "head",
            "exact",
            "bucket",
            "interval",
            "window",
            "ring",
            "log",
            "counter",
            "terms",
            "state",
            "convert",
            "verbs",
            "reserve",
            "main");

    static final Script CONFIG = of("config");

    static final Script PULSE = of("pulse");

    private static Script of(String... fragments) {
        String text = Arrays.stream(fragments).map(Script::fragment).collect(Collectors.joining("\n"));
        return new Script(text, sha1(text));
    }

    /** Without comments and indentation, which Redis would only keep in memory. */
    private static String fragment(String name) {
        try (InputStream in = Script.class.getResourceAsStream(name + ".lua")) {
            if (in == null) {
                throw new IllegalStateException(name + ".lua: missing (expected: in the jar of sluice-redis)");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("--"))
                    .collect(Collectors.joining("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha1(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
