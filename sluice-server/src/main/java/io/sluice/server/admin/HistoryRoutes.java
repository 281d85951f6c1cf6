package io.sluice.server.admin;

import io.sluice.policy.Policies;
import io.sluice.policy.WebhookHosts;
import io.sluice.server.http.RequestBodies;
import io.sluice.spi.Edition;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/policies/history} and {@code POST /v1/policies/rollback}: past editions. */
final class HistoryRoutes {
    private final Vertx vertx;
    private final PolicyRepository repository;
    private final PolicyChange change;
    private final WebhookHosts hosts;
    private final EditionAuthors authors;

    HistoryRoutes(
            Vertx vertx, PolicyRepository repository, PolicyChange change, EditionAuthors authors, WebhookHosts hosts) {
        this.authors = authors;
        this.hosts = hosts;
        this.vertx = vertx;
        this.repository = repository;
        this.change = change;
    }

    void get(HttpServerRequest request) {
        @Nullable String edition;
        try {
            edition = request.getParam("edition");
        } catch (IllegalArgumentException e) {
            FailureResponses.answer(request, e);
            return;
        }
        if (edition == null) {
            vertx.executeBlocking(this::all, false)
                    .onSuccess(all -> AdminJson.answer(request, all))
                    .onFailure(failure -> FailureResponses.answer(request, failure));
        } else {
            vertx.executeBlocking(() -> text(number(edition)), false)
                    .onSuccess(text -> request.response()
                            .putHeader("ETag", PolicyETag.of(text))
                            .putHeader("Content-Type", "application/yaml")
                            .end(text))
                    .onFailure(failure -> FailureResponses.answer(request, failure));
        }
    }

    private JsonObject all() {
        long current = repository.current().edition();
        JsonArray editions = new JsonArray();
        List<Edition> history = repository.history();
        Map<Long, String> known =
                authors.read(history.isEmpty() ? 0 : history.get(0).number());
        for (Edition edition : history) {
            editions.add(new JsonObject()
                    .put("edition", edition.number())
                    .put("etag", PolicyETag.of(edition.text()))
                    .put("time", time(edition.micros()))
                    .put("by", known.get(edition.number()))
                    .put("current", edition.number() == current));
        }
        return new JsonObject().put("editions", editions);
    }

    private static @Nullable String time(long micros) {
        return micros == 0
                ? null
                : Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("edition: " + text + " (expected: a number)", e);
        }
    }

    private String text(long number) {
        for (Edition edition : repository.history()) {
            if (edition.number() == number) {
                return edition.text();
            }
        }
        throw new NoSuchElementException(
                "edition: " + number + " (expected: one of those in GET /v1/policies/history)");
    }

    void rollback(HttpServerRequest request) {
        try {
            ETagCondition expected = change.expected(request, "roll back policies");
            if (expected != null) {
                RequestBodies.read(request, body -> {
                    try {
                        long number = JsonFields.of(body, "edition").number("edition");
                        change.apply(
                                request,
                                "roll back policies to " + number,
                                expected,
                                () -> Policies.parse(text(number), "policies", hosts));
                    } catch (IllegalArgumentException e) {
                        FailureResponses.answer(request, e);
                    }
                });
            }
        } catch (IllegalArgumentException e) {
            FailureResponses.answer(request, e);
        }
    }
}
