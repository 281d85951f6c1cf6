package io.sluice.server.admin;

import io.sluice.TimeSource;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpServerRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/*
 * A session is its cookie: the second at which it ends, a random id, and a MAC of both with a key that is derived from the admin
 * token. So every replica with the same token knows it, a restart does not end it, another token does, and sessions need no memory.
 * The name of the cookie also comes from the token: a browser sends cookies to every port of a host, and two servers of one host
 * must not overwrite each other's.
 *
 * A session that was signed out stays known until it would have ended, in the process that was told. The browser deletes the
 * cookie, so no other replica sees it again.
 */
/** The sessions of the dashboard. Thread-safe. */
public final class Sessions {
    static final Duration LIFE = Duration.ofHours(12);

    /** Maximum number of sessions that are known as signed out. */
    static final int MAX_ENDED = 1000;

    private static final int ID_BYTES = 16;
    private static final int SIGNED_BYTES = Long.BYTES + ID_BYTES;
    private static final String MAC = "HmacSHA256";

    private final SecureRandom random = new SecureRandom();
    private final TimeSource time;
    private final boolean secure;
    private final byte[] key;
    private final String name;

    private final Map<ByteBuffer, Boolean> ended = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, Boolean> eldest) {
            return size() > MAX_ENDED;
        }
    };

    /** @param signed the bytes that its MAC signs */
    record Session(Instant expires, ByteBuffer signed) {}

    /**
     * Creates the sessions of a server.
     *
     * @param secure whether the server uses TLS, so that browsers must not send the cookie without it
     */
    public Sessions(String token, boolean secure, TimeSource time) {
        this.time = time;
        this.secure = secure;
        key = mac(token.getBytes(StandardCharsets.UTF_8), "sluice: key of sessions".getBytes(StandardCharsets.UTF_8));
        byte[] digest = mac(key, "name".getBytes(StandardCharsets.UTF_8));
        name = (secure ? "__Host-" : "") + "sluice-" + HexFormat.of().formatHex(digest, 0, 4);
    }

    /** The session of a request; null if it has none, or it has ended. */
    @Nullable
    Session find(HttpServerRequest request) {
        @Nullable Cookie cookie = request.getCookie(name);
        return cookie == null ? null : parse(cookie.getValue());
    }

    /** Starts a session and sends its cookie with the response. */
    Session start(HttpServerRequest request) {
        long end = time.wallMicros() / 1_000_000 + LIFE.toSeconds();
        byte[] id = new byte[ID_BYTES];
        random.nextBytes(id);
        byte[] signed = ByteBuffer.allocate(SIGNED_BYTES).putLong(end).put(id).array();
        byte[] mac = mac(key, signed);
        byte[] value = ByteBuffer.allocate(signed.length + mac.length)
                .put(signed)
                .put(mac)
                .array();
        send(request, Base64.getUrlEncoder().withoutPadding().encodeToString(value), LIFE.toSeconds());
        return new Session(Instant.ofEpochSecond(end), ByteBuffer.wrap(signed));
    }

    /** Ends the session of a request, if it has one, and deletes its cookie. */
    void end(HttpServerRequest request) {
        @Nullable Session session = find(request);
        if (session != null) {
            rememberEnded(session.signed);
        }
        send(request, "", 0);
    }

    void rememberEnded(ByteBuffer signed) {
        synchronized (ended) {
            ended.put(signed, true);
        }
    }

    private void send(HttpServerRequest request, String value, long seconds) {
        String cookie = Cookie.cookie(name, value)
                .setPath("/")
                .setHttpOnly(true)
                .setSecure(secure || isOverTls(request))
                .setSameSite(CookieSameSite.STRICT)
                .setMaxAge(seconds)
                .encode();
        // Browsers do not mind the case, but RFC 6265 and most tools write it like this.
        request.response().headers().add("Set-Cookie", cookie.replace("; HTTPOnly", "; HttpOnly"));
    }

    /** Whether the browser speaks TLS with a proxy in front of this server: it sends the origin of its page with a sign-in. */
    private static boolean isOverTls(HttpServerRequest request) {
        @Nullable String origin = request.getHeader("Origin");
        return origin != null && origin.startsWith("https://");
    }

    private @Nullable Session parse(String text) {
        byte[] value;
        try {
            value = Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
        if (value.length <= SIGNED_BYTES) {
            return null;
        }
        byte[] signed = Arrays.copyOf(value, SIGNED_BYTES);
        byte[] given = Arrays.copyOfRange(value, SIGNED_BYTES, value.length);
        if (!MessageDigest.isEqual(mac(key, signed), given)) {
            return null;
        }
        Instant expires = Instant.ofEpochSecond(ByteBuffer.wrap(signed).getLong());
        boolean over = expires.getEpochSecond() <= time.wallMicros() / 1_000_000 || isEnded(signed);
        return over ? null : new Session(expires, ByteBuffer.wrap(signed));
    }

    private boolean isEnded(byte[] signed) {
        synchronized (ended) {
            return ended.containsKey(ByteBuffer.wrap(signed));
        }
    }

    private static byte[] mac(byte[] key, byte[] text) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(key, MAC));
            return mac.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
