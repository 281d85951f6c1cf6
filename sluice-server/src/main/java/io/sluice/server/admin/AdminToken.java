package io.sluice.server.admin;

import io.sluice.http.ClientAddress;
import io.sluice.server.guard.AuthAttempts;
import io.sluice.server.http.Problems;
import io.sluice.server.http.Route;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Guards routes with the admin token. Responses to wrong tokens are delayed. */
public final class AdminToken implements UnaryOperator<Route> {
    private static final String SCHEME = "Bearer ";
    private static final String EXPECTED = "(expected: Authorization: Bearer TOKEN)";
    private static final Set<HttpMethod> READ_METHODS = Set.of(HttpMethod.GET, HttpMethod.HEAD);

    private final byte @Nullable [] expected;
    private final AuthAttempts attempts;
    private final ClientAddress proxies;
    private final AuditLog audit = new AuditLog();

    /**
     * Creates a guard.
     *
     * @param token null to refuse every request
     * @param proxies the trusted proxies, whose forwarded headers give the address of the client
     */
    public AdminToken(@Nullable String token, AuthAttempts attempts, ClientAddress proxies) {
        this.expected = token == null || token.isEmpty() ? null : hash(token);
        this.attempts = attempts;
        this.proxies = proxies;
    }

    @Override
    public Route apply(Route route) {
        return request -> {
            @Nullable String given = request.getHeader("Authorization");
            if (expected == null) {
                refuse(request, "this server has no admin token, so the admin API is closed");
            } else if (given == null) {
                // Not an attempt to guess the token.
                refuse(request, "no token " + EXPECTED);
            } else {
                authenticate(request, given, expected, route);
            }
        };
    }

    private void authenticate(HttpServerRequest request, String given, byte[] expected, Route route) {
        String client = client(request);
        if (!attempts.isAllowed(client)) {
            refuseTooManyAttempts(request);
        } else if (matches(given, expected)) {
            attempts.recordSuccess(client);
            route.handle(request);
        } else if (!attempts.recordFailure(client, () -> refuseWrong(request))) {
            refuseTooManyAttempts(request);
        }
    }

    private String client(HttpServerRequest request) {
        SocketAddress peer = request.remoteAddress();
        @Nullable String host = peer == null ? null : peer.hostAddress();
        return host == null
                ? ""
                : proxies.of(
                        host,
                        request.headers().getAll("X-Forwarded-For"),
                        request.headers().getAll("Forwarded"));
    }

    /** Compares hashes in constant time, so that the time reveals nothing about the token, not even its length. */
    private static boolean matches(String given, byte[] expected) {
        return given.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                && MessageDigest.isEqual(hash(given.substring(SCHEME.length()).trim()), expected);
    }

    private void refuseWrong(HttpServerRequest request) {
        // The client may have closed the connection during the delay.
        if (!request.response().closed()) {
            refuse(request, "not the admin token " + EXPECTED);
        }
    }

    private void refuse(HttpServerRequest request, String detail) {
        audit(request, 401);
        request.response().putHeader("WWW-Authenticate", "Bearer realm=\"sluice\"");
        Problems.answer(request, 401, detail);
    }

    private void refuseTooManyAttempts(HttpServerRequest request) {
        audit(request, 429);
        long seconds = AuthAttempts.retryAfter().toSeconds();
        request.response().putHeader("Retry-After", Long.toString(seconds));
        Problems.answer(
                request, 429, "too many wrong tokens from this address (expected: another try in " + seconds + " s)");
    }

    private void audit(HttpServerRequest request, int status) {
        if (!READ_METHODS.contains(request.method())) {
            audit.refused(request, status);
        }
    }

    private static byte[] hash(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
