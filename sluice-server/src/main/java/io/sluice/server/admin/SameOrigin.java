package io.sluice.server.admin;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/*
 * Two proofs are needed. A page of another origin cannot send the custom header, because the browser first asks this server, which
 * never agrees. And the browser itself says where the request comes from: in Sec-Fetch-Site, or, an older one, in Origin.
 */
/** The proof that a page of this server made a request, and not the page of another site (CSRF). */
final class SameOrigin {
    static final String HEADER = "Sluice-Csrf";

    static final String EXPECTED =
            "a change in a session of the dashboard, without the proof that the dashboard made it" + " (expected: "
                    + HEADER + ": 1, and Sec-Fetch-Site: same-origin or the Origin of this server)";

    private SameOrigin() {}

    /** Whether the proof is there, or is not needed because the request changes nothing. */
    static boolean isProven(HttpServerRequest request) {
        if (request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD)) {
            return true;
        }
        if (!"1".equals(request.getHeader(HEADER))) {
            return false;
        }
        @Nullable String site = request.getHeader("Sec-Fetch-Site");
        return site != null ? site.equals("same-origin") : isOwnOrigin(request, request.getHeader("Origin"));
    }

    /** Compares host and port. The scheme may differ if a proxy in front of this server ends TLS. */
    private static boolean isOwnOrigin(HttpServerRequest request, @Nullable String origin) {
        if (origin == null || request.authority() == null) {
            return false;
        }
        try {
            URI uri = new URI(origin);
            String authority = uri.getRawAuthority();
            boolean web = "https".equals(uri.getScheme()) || ("http".equals(uri.getScheme()) && !request.isSSL());
            return web
                    && authority != null
                    && authority
                            .toLowerCase(Locale.ROOT)
                            .equals(request.authority().toString().toLowerCase(Locale.ROOT));
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
