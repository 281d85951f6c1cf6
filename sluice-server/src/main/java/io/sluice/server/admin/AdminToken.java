package io.sluice.server.admin;

import io.sluice.server.http.Problems;
import io.sluice.server.http.Route;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Lets only those through who show the admin token. */
public final class AdminToken implements UnaryOperator<Route> {
    private static final String SCHEME = "Bearer ";
    private static final Set<HttpMethod> READING = Set.of(HttpMethod.GET, HttpMethod.HEAD);

    private final byte @Nullable [] expected;
    private final Audit audit;

    /**
     * Guards by a token.
     *
     * @param token null to let nobody through
     */
    public AdminToken(@Nullable String token) {
        this(token, new Audit());
    }

    AdminToken(@Nullable String token, Audit audit) {
        this.expected = token == null || token.isEmpty() ? null : hash(token);
        this.audit = audit;
    }

    @Override
    public Route apply(Route route) {
        return request -> {
            if (isShown(request)) {
                route.handle(request);
            } else {
                refuse(request);
            }
        };
    }

    /** Hashes are compared, whole: how long it takes tells nothing of the token, not even its length. */
    private boolean isShown(HttpServerRequest request) {
        String given = request.getHeader("Authorization");
        return expected != null
                && given != null
                && given.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                && MessageDigest.isEqual(hash(given.substring(SCHEME.length()).trim()), expected);
    }

    private void refuse(HttpServerRequest request) {
        String why;
        if (expected == null) {
            why = "this server has no admin token configured, so nobody may do this";
        } else if (request.getHeader("Authorization") == null) {
            why = "no token (expected: Authorization: Bearer TOKEN)";
        } else {
            why = "not the admin token (expected: Authorization: Bearer TOKEN)";
        }
        if (!READING.contains(request.method())) {
            audit.refused(request);
        }
        request.response().putHeader("WWW-Authenticate", "Bearer realm=\"sluice\"");
        Problems.answer(request, 401, why);
    }

    private static byte[] hash(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
