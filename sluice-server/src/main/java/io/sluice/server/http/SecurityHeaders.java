package io.sluice.server.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/*
 * Routes that decide requests have none of these headers: programs call them, and each header costs time.
 */
/** The headers by which a browser protects the people who use the dashboard. */
final class SecurityHeaders {
    private static final CharSequence CSP = HttpHeaders.createOptimized("content-security-policy");
    private static final CharSequence CONTENT_TYPE_OPTIONS = HttpHeaders.createOptimized("x-content-type-options");
    private static final CharSequence NO_SNIFF = HttpHeaders.createOptimized("nosniff");
    private static final CharSequence REFERRER_POLICY = HttpHeaders.createOptimized("referrer-policy");
    private static final CharSequence NO_REFERRER = HttpHeaders.createOptimized("no-referrer");
    private static final CharSequence OPENER_POLICY = HttpHeaders.createOptimized("cross-origin-opener-policy");
    private static final CharSequence RESOURCE_POLICY = HttpHeaders.createOptimized("cross-origin-resource-policy");
    private static final CharSequence SAME_ORIGIN = HttpHeaders.createOptimized("same-origin");
    private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");

    /** Everything comes from this server; no script or style stands in a page, and no text becomes a script. */
    private static final CharSequence PAGE = HttpHeaders.createOptimized("default-src 'none'; script-src 'self';"
            + " style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self';"
            + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'");

    private static final CharSequence DATA =
            HttpHeaders.createOptimized("default-src 'none'; base-uri 'none'; frame-ancestors 'none'");

    private SecurityHeaders() {}

    /** A route of the web page: its documents, scripts, styles and pictures. */
    static Route page(Route route) {
        return request -> {
            add(request, PAGE);
            route.handle(request);
        };
    }

    /** A route of the API that the page calls. A route may replace the {@code Cache-Control}. */
    static Route data(Route route) {
        return request -> {
            data(request).putHeader(HttpHeaders.CACHE_CONTROL, NO_STORE);
            route.handle(request);
        };
    }

    /** A response that is neither: an error. */
    static HttpServerResponse data(HttpServerRequest request) {
        return add(request, DATA);
    }

    private static HttpServerResponse add(HttpServerRequest request, CharSequence policy) {
        return request.response()
                .putHeader(CSP, policy)
                .putHeader(CONTENT_TYPE_OPTIONS, NO_SNIFF)
                .putHeader(REFERRER_POLICY, NO_REFERRER)
                .putHeader(OPENER_POLICY, SAME_ORIGIN)
                .putHeader(RESOURCE_POLICY, SAME_ORIGIN);
    }
}
