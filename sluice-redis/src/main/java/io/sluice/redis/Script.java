package io.sluice.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A Lua script, and the digest under which Redis knows it.
 *
 * @param text what it says
 * @param digest in hexadecimal
 */
record Script(String text, String digest) {
    private static final Pattern NUMBER = Pattern.compile("^local ([A-Z_]+) = ([0-9]+)\n", Pattern.MULTILINE);
    private static final String INCLUDE = "-- include ";

    /** Decides; see {@code head.lua}. */
    static final Script DECIDE = of("head", "quick", "exact", "terms", "state", "verbs", "main");

    static final Script CONFIG = of("config");

    static final Script PULSE = of("pulse");

    static final Script ENFORCE = of("enforce");

    static final Script STAGE = of("stage");

    static final Script COMMIT = of("commit");

    static final Script PUBLISH = of("publish");

    static final Script READY = of("ready");

    private static Script of(String... fragments) {
        String text = inlined(Arrays.stream(fragments).map(Script::fragment).collect(Collectors.joining("\n")));
        return new Script(text, sha1(text));
    }

    /** With named numbers in their places. */
    private static String inlined(String text) {
        String inlined = NUMBER.matcher(text).replaceAll("");
        Matcher numbers = NUMBER.matcher(text);
        while (numbers.find()) {
            inlined = inlined.replaceAll("\\b" + numbers.group(1) + "\\b", numbers.group(2));
        }
        return inlined;
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
                    .map(line -> line.startsWith(INCLUDE) ? fragment(line.substring(INCLUDE.length())) : line)
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
