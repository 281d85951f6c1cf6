package io.sluice.server.admin;

import io.sluice.policy.Policies;
import io.sluice.policy.WebhookHosts;
import io.sluice.server.http.RequestBodies;
import io.sluice.spi.Edition;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** {@code GET} and {@code PUT /v1/policies}: read and replace the policies. */
final class PolicyRoutes {
    /** Maximum bytes of a policy text. */
    static final int MAX_BYTES = 1024 * 1024;

    private static final String ACTION = "put policies";

    private final Vertx vertx;
    private final PolicyRepository repository;
    private final PolicyChange change;
    private final WebhookHosts hosts;

    PolicyRoutes(Vertx vertx, PolicyRepository repository, PolicyChange change, WebhookHosts hosts) {
        this.hosts = hosts;
        this.vertx = vertx;
        this.repository = repository;
        this.change = change;
    }

    void get(HttpServerRequest request) {
        PolicyRepository.InForce now = repository.current();
        String text = now.policies().text();
        String tag = PolicyETag.of(text);
        request.response().putHeader("ETag", tag).putHeader("Vary", "Accept");
        String accept = request.getHeader("Accept");
        if (accept != null && accept.contains("application/json")) {
            AdminJson.answer(
                    request,
                    new JsonObject()
                            .put("edition", now.edition())
                            .put("durable", repository.durable())
                            .put("yaml", text)
                            .put("warnings", AdminJson.problems(now.policies().warnings())));
        } else if (clientHas(request, tag)) {
            request.response().setStatusCode(304).end();
        } else {
            request.response().putHeader("Content-Type", "application/yaml").end(text);
        }
    }

    /**
     * Whether the client has this text already. Not used for JSON, which also has the edition: another edition may have the same
     * text. An invalid header is ignored.
     */
    private static boolean clientHas(HttpServerRequest request, String tag) {
        try {
            ETagCondition known = ETagCondition.of(request, "If-None-Match");
            return known != null && known.matchesWeakly(tag);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    void put(HttpServerRequest request) {
        try {
            if (isDryRun(request.getParam("dry-run"))) {
                ETagCondition expected = ETagCondition.of(request, PolicyChange.IF_MATCH);
                RequestBodies.read(request, MAX_BYTES, body -> dryRun(request, body, expected));
            } else {
                ETagCondition expected = change.expected(request, ACTION);
                if (expected != null) {
                    RequestBodies.read(
                            request, MAX_BYTES, body -> change.apply(request, ACTION, expected, () -> parse(body)));
                }
            }
        } catch (IllegalArgumentException e) {
            FailureResponses.answer(request, e);
        }
    }

    private static boolean isDryRun(@Nullable String value) {
        if (value == null || value.equals("false")) {
            return false;
        } else if (value.equals("true")) {
            return true;
        }
        throw new IllegalArgumentException("dry-run: " + value + " (expected: true or false)");
    }

    private Policies parse(Buffer body) {
        return Policies.parse(body.getBytes(), "policies", hosts);
    }

    private void dryRun(HttpServerRequest request, Buffer body, @Nullable ETagCondition expected) {
        vertx.executeBlocking(() -> diff(body, expected), false)
                .onSuccess(diff -> AdminJson.answer(request, diff))
                .onFailure(failure -> FailureResponses.answer(request, failure));
    }

    private JsonObject diff(Buffer body, @Nullable ETagCondition expected) {
        Policies next = parse(body);
        if (expected != null) {
            Edition latest = repository.latest();
            if (!expected.matches(PolicyETag.of(latest.text()))) {
                throw new PreconditionFailedException(latest);
            }
        }
        PolicyRepository.InForce now = repository.current();
        return PolicyDiff.of(now.policies(), next)
                .put("dry_run", true)
                .put("edition", now.edition())
                .put("warnings", AdminJson.problems(next.warnings()));
    }
}
