package io.sluice.server.http;

import io.sluice.TimeSource;
import io.sluice.http.ClientAddress;
import io.sluice.http.QuotaExceeded;
import io.sluice.policy.Cidr;
import io.sluice.policy.PolicyDecision;
import io.sluice.server.decide.Checks;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.Map;

/**
 * {@code /v1/auth}, for nginx {@code auth_request}, Traefik ForwardAuth and Caddy {@code forward_auth}: decides a request
 * from what the proxy says of it, and answers 200 without a body, or 429 with problem+json, either with the RateLimit headers.
 *
 * <ul>
 *   <li>{@code method}: {@code X-Forwarded-Method} or {@code X-Original-Method}; {@code path}: {@code X-Forwarded-Uri} or
 *       {@code X-Original-URI}, without its query; {@code host}: {@code X-Forwarded-Host}, in small letters without a port. What
 *       no header says is that of the request itself.
 *   <li>{@code ip}: the client's address, by {@link ClientAddress}.
 *   <li>Any other attribute: {@code X-Sluice-<attribute>}; the name is in small letters.
 *   <li>{@code ?permits=5} is what it costs, 1 if not said; {@code ?deny=403} the status of a denial, from 400 to 599.
 * </ul>
 *
 * <p>The headers of a peer that is not trusted do not count. A body is ignored. Whatever a client sends, the answer is one of
 * these two: headers of a trusted peer that contradict each other are denied. Only a bad query is answered with 400.
 */
public final class AuthRoute implements Route {
    private final Checks checks;
    private final ClientAddress proxies;
    private final IgnoredHeaders ignored;
    private final DoubtfulHeaders doubtful = new DoubtfulHeaders(TimeSource.system());
    private final boolean legacyHeaders;

    /**
     * Decides by those checks.
     *
     * @param trusted the peers whose headers count; the log warns of headers of others
     * @param legacyHeaders whether {@code X-RateLimit-*} are added
     */
    public AuthRoute(Checks checks, List<Cidr> trusted, boolean legacyHeaders) {
        this.checks = checks;
        this.proxies = new ClientAddress(trusted);
        this.ignored = new IgnoredHeaders(trusted, TimeSource.system());
        this.legacyHeaders = legacyHeaders;
    }

    @Override
    public void handle(HttpServerRequest request) {
        Bodies.ignore(request);
        AuthQuery query;
        try {
            query = AuthQuery.of(request.query());
        } catch (AuthQuery.Refused e) {
            // Only who wrote the gateway's configuration can do something about it.
            Problems.answer(request, 400, String.valueOf(e.getMessage()));
            return;
        }
        Map<String, String> attributes;
        try {
            attributes = AuthAttributes.of(request, proxies, ignored);
        } catch (AuthAttributes.Doubtful e) {
            String why = String.valueOf(e.getMessage());
            doubtful.of(request, why);
            Problems.answer(request, query.deny(), why);
            return;
        }
        checks.check(attributes, query.permits())
                .onComplete(
                        decision -> answer(request.response(), decision, query.deny()),
                        failure -> Problems.failed(request, failure));
    }

    private void answer(HttpServerResponse response, PolicyDecision decision, int deny) {
        Answers.addLimits(response, decision, legacyHeaders);
        if (decision.allowed()) {
            response.end();
            return;
        }
        response.setStatusCode(deny)
                .putHeader(HttpHeaders.CONTENT_TYPE, Problems.CONTENT_TYPE)
                .end(Buffer.buffer(QuotaExceeded.of(decision).toJson(deny)));
    }
}
