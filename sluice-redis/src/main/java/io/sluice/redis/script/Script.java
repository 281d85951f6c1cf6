package io.sluice.redis.script;

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
 * A Lua script, joined from fragments, and the digest under which Redis caches it.
 *
 * @param text the Lua text that Redis runs
 * @param digest the SHA-1 of the text, in hexadecimal
 */
public record Script(String text, String digest) {
    private static final String FRAGMENTS = "/io/sluice/redis/";
    private static final String INCLUDE = "-- include ";

    /** Decides requests; {@code head.lua} describes its arguments and its reply. */
    public static final Script DECIDE =
            of("head", "quick", "quick_concurrency", "exact", "terms", "state", "verbs", "main");

    public static final Script CONFIG = of("config");

    public static final Script HEARTBEAT = of("heartbeat");

    public static final Script ENFORCE = of("enforce");

    public static final Script TAILS = of("tails");

    public static final Script STAGE = of("stage");

    public static final Script COMMIT = of("commit");

    public static final Script PUBLISH = of("publish");

    public static final Script READY = of("ready");

    public static final Script NOTES = of("notes");

    private static Script of(String... fragments) {
        String text = LuaConstants.inlined(
                Arrays.stream(fragments).map(Script::fragment).collect(Collectors.joining("\n")));
        return new Script(text, sha1(text));
    }

    /** The text of a fragment, without comments and indentation: Redis would only keep them in memory. */
    private static String fragment(String name) {
        try (InputStream in = Script.class.getResourceAsStream(FRAGMENTS + name + ".lua")) {
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

    /** The SHA-1 of a text, in hexadecimal. */
    public static String sha1(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
