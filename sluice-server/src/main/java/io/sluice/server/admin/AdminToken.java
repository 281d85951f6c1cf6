package io.sluice.server.admin;

import io.sluice.server.guard.AuthAttempts;
import io.sluice.server.http.Problems;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares tokens of clients with the admin token. Responses to wrong tokens are delayed. */
public final class AdminToken {
    private static final Set<HttpMethod> READ_METHODS = Set.of(HttpMethod.GET, HttpMethod.HEAD);

    private final byte @Nullable [] expected;
    private final AuthAttempts attempts;
    private final CallerAddress caller;
    private final AuditLog audit;

    /**
     * Creates the token of a server.
     *
     * @param token null if the server has none; then every token is wrong
     * @param caller says from where a request came
     */
    public AdminToken(@Nullable String token, AuthAttempts attempts, CallerAddress caller) {
        this.expected = token == null || token.isEmpty() ? null : hash(token);
        this.attempts = attempts;
        this.caller = caller;
        this.audit = new AuditLog(caller);
    }

    boolean exists() {
        return expected != null;
    }

    /**
     * Compares a token. Answers the request if it is wrong, later or at once.
     *
     * @param given null if the request has no token in the expected form
     * @param how how to send the token, for the response to a wrong one
     * @param right runs at once if it is the admin token
     */
    void authenticate(HttpServerRequest request, @Nullable String given, String how, Runnable right) {
        String client = caller.of(request);
        if (!attempts.isAllowed(client)) {
            refuseTooManyAttempts(request);
        } else if (matches(given)) {
            attempts.recordSuccess(client);
            right.run();
        } else if (!attempts.recordFailure(client, () -> refuseWrong(request, how))) {
            refuseTooManyAttempts(request);
        }
    }

    /** Compares hashes in constant time, so that the time reveals nothing about the token, not even its length. */
    private boolean matches(@Nullable String given) {
        return given != null && expected != null && MessageDigest.isEqual(hash(given), expected);
    }

    private void refuseWrong(HttpServerRequest request, String how) {
        // The client may have closed the connection during the delay.
        if (!request.response().closed()) {
            refuse(request, "not the admin token (expected: " + how + ")");
        }
    }

    /** Answers a request that has no right token. */
    void refuse(HttpServerRequest request, String detail) {
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

    /** Logs a request that was refused and could have changed something. */
    void audit(HttpServerRequest request, int status) {
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
