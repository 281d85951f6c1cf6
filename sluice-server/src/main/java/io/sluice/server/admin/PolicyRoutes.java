package io.sluice.server.admin;

import io.sluice.policy.Policies;
import io.sluice.policy.WebhookHosts;
import io.sluice.server.http.Bodies;
import io.sluice.spi.Edition;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** {@code GET} and {@code PUT /v1/policies}. */
final class PolicyRoutes {
    /** Bytes of policies; checks may bring less. */
    private static final int MOST = 1024 * 1024;

    private static final String WHAT = "put policies";

    private final Vertx vertx;
    private final PolicyBook book;
    private final PolicyChange change;
    private final WebhookHosts hosts;

    PolicyRoutes(Vertx vertx, PolicyBook book, PolicyChange change, WebhookHosts hosts) {
        this.hosts = hosts;
        this.vertx = vertx;
        this.book = book;
        this.change = change;
    }

    void get(HttpServerRequest request) {
        PolicyBook.InForce now = book.current();
        String text = now.policies().text();
        String tag = EntityTag.of(text);
        request.response().putHeader("ETag", tag).putHeader("Vary", "Accept");
        String accept = request.getHeader("Accept");
        if (accept != null && accept.contains("application/json")) {
            AdminJson.answer(
                    request,
                    new JsonObject()
                            .put("edition", now.edition())
                            .put("durable", book.durable())
                            .put("yaml", text)
                            .put("warnings", AdminJson.problems(now.policies().warnings())));
        } else if (isKnown(request, tag)) {
            request.response().setStatusCode(304).end();
        } else {
            request.response().putHeader("Content-Type", "application/yaml").end(text);
        }
    }

    /**
     * Whether the client has this text. Not asked about JSON, which has the edition too: that may be another one with the
     * same text. A header that is no list of tags is none.
     */
    private static boolean isKnown(HttpServerRequest request, String tag) {
        try {
            EntityTags known = EntityTags.of(request, "If-None-Match");
            return known != null && known.matchesWeakly(tag);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    void put(HttpServerRequest request) {
        try {
            if (isDryRun(request.getParam("dry-run"))) {
                EntityTags expected = EntityTags.of(request, PolicyChange.IF_MATCH);
                Bodies.read(request, MOST, body -> tryOut(request, body, expected));
            } else {
                EntityTags expected = change.expected(request, WHAT);
                if (expected != null) {
                    Bodies.read(request, MOST, body -> change.make(request, WHAT, expected, () -> checked(body)));
                }
            }
        } catch (IllegalArgumentException e) {
            Failures.answer(request, e);
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

    private Policies checked(Buffer body) {
        return Policies.parse(body.getBytes(), "policies", hosts);
    }

    private void tryOut(HttpServerRequest request, Buffer body, @Nullable EntityTags expected) {
        vertx.executeBlocking(() -> diff(body, expected), false)
                .onSuccess(diff -> AdminJson.answer(request, diff))
                .onFailure(failure -> Failures.answer(request, failure));
    }

    private JsonObject diff(Buffer body, @Nullable EntityTags expected) {
        Policies next = checked(body);
        if (expected != null) {
            Edition latest = book.latest();
            if (!expected.matches(EntityTag.of(latest.text()))) {
                throw new NotExpectedException(latest);
            }
        }
        PolicyBook.InForce now = book.current();
        return PolicyDiff.of(now.policies(), next)
                .put("dry_run", true)
                .put("edition", now.edition())
                .put("warnings", AdminJson.problems(next.warnings()));
    }
}
