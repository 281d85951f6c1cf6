package io.sluice.server.http;

import io.sluice.TimeSource;
import io.sluice.http.ClientAddress;
import io.sluice.http.QuotaExceeded;
import io.sluice.policy.Cidr;
import io.sluice.policy.PolicyDecision;
import io.sluice.server.decide.RequestDecider;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.Map;

/**
 * {@code /v1/auth}, for nginx {@code auth_request}, Traefik ForwardAuth and Caddy {@code forward_auth}: decides a request
 * by the headers of the proxy, and answers 200 without a body, or 429 with problem+json, both with the RateLimit headers.
 *
 * <ul>
 *   <li>{@code method}: {@code X-Forwarded-Method} or {@code X-Original-Method}; {@code path}: {@code X-Forwarded-Uri} or
 *       {@code X-Original-URI}, without its query; {@code host}: {@code X-Forwarded-Host}, in lower case without a port. Without
 *       the header, the value comes from the request itself.
 *   <li>{@code ip}: the address of the client, see {@link ClientAddress}.
 *   <li>Any other attribute: {@code X-Sluice-<attribute>}; the name is in lower case.
 *   <li>{@code ?permits=5} is the number of permits (default 1); {@code ?deny=403} is the status of a denial, 400 to 599.
 * </ul>
 *
 * <p>The headers of a peer that is not trusted are ignored, and so is a body. Whatever a client sends, the response is one of
 * these two: if the headers of a trusted peer contradict each other, the request is denied. Only a bad query is a 400.
 */
public final class AuthRoute implements Route {
    private final RequestDecider decider;
    private final ClientAddress proxies;
    private final IgnoredHeadersLog ignored;
    private final ConflictingHeadersLog conflicts = new ConflictingHeadersLog(TimeSource.system());
    private final boolean legacyHeaders;

    /**
     * Creates the route.
     *
     * @param trusted the trusted proxies
     * @param legacyHeaders whether to add {@code X-RateLimit-*} headers
     */
    public AuthRoute(RequestDecider decider, List<Cidr> trusted, boolean legacyHeaders) {
        this.decider = decider;
        this.proxies = new ClientAddress(trusted);
        this.ignored = new IgnoredHeadersLog(trusted, TimeSource.system());
        this.legacyHeaders = legacyHeaders;
    }

    @Override
    public void handle(HttpServerRequest request) {
        RequestBodies.ignore(request);
        AuthQuery query;
        try {
            query = AuthQuery.of(request.query());
        } catch (AuthQuery.InvalidQueryException e) {
            // The configuration of the gateway is wrong, not the request of the client.
            Problems.answer(request, 400, String.valueOf(e.getMessage()));
            return;
        }
        Map<String, String> attributes;
        try {
            attributes = AuthAttributes.of(request, proxies, ignored);
        } catch (AuthAttributes.ConflictException e) {
            String reason = String.valueOf(e.getMessage());
            conflicts.log(request, reason);
            Problems.answer(request, query.deny(), reason);
            return;
        }
        decider.check(attributes, query.permits())
                .onComplete(
                        decision -> answer(request.response(), decision, query.deny()),
                        failure -> Problems.failed(request, failure));
    }

    private void answer(HttpServerResponse response, PolicyDecision decision, int deny) {
        ResponseWriter.addRateLimitHeaders(response, decision, legacyHeaders);
        if (decision.allowed()) {
            response.end();
            return;
        }
        response.setStatusCode(deny)
                .putHeader(HttpHeaders.CONTENT_TYPE, Problems.CONTENT_TYPE)
                .end(Buffer.buffer(QuotaExceeded.of(decision).toJson(deny)));
    }
}
