package io.sluice.server.admin;

import io.sluice.Limit;
import io.sluice.LimitSyntaxException;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.TemporaryOverride;
import io.sluice.server.http.RequestBodies;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** {@code /v1/overrides}: another limit for one key, for a while. */
final class OverrideRoutes {
    private static final Duration MIN_LIFE = Duration.ofSeconds(1);
    private static final Duration MAX_LIFE = Duration.ofDays(31);
    private static final int MAX_REASON = 200;
    private static final long TIMEOUT_SECONDS = 2;

    private final Vertx vertx;
    private final PolicyEngine engine;
    private final OverrideRepository repository;
    private final AuditLog audit;

    OverrideRoutes(Vertx vertx, PolicyEngine engine, OverrideRepository repository, AuditLog audit) {
        this.vertx = vertx;
        this.engine = engine;
        this.repository = repository;
        this.audit = audit;
    }

    void list(HttpServerRequest request) {
        JsonArray overrides = new JsonArray();
        engine.temporaryOverrides().forEach(override -> overrides.add(json(override)));
        AdminJson.answer(
                request,
                new JsonObject()
                        .put("overrides", overrides)
                        .put("max", OverrideRepository.MAX)
                        .put("durable", repository.durable()));
    }

    static JsonObject json(TemporaryOverride override) {
        long rest = Duration.between(Instant.now(), override.expires()).toMillis();
        return new JsonObject()
                .put("id", override.id())
                .put("policy", override.policy())
                .put("key", AdminJson.key(override.key()))
                .put("limit", override.limit().toString())
                .put("created", override.created().toString())
                .put("expires", override.expires().toString())
                .put("expires_in_ms", Math.max(0, rest))
                .put("reason", override.reason());
    }

    void put(HttpServerRequest request) {
        RequestBodies.read(request, body -> {
            TemporaryOverride wanted;
            try {
                wanted = parse(body);
            } catch (IllegalArgumentException | NoSuchElementException e) {
                failed(request, "put override", e);
                return;
            }
            String action = "put override of policy " + wanted.policy() + " key " + wanted.key() + ": " + wanted.limit()
                    + " until " + wanted.expires();
            vertx.executeBlocking(() -> put(wanted), false)
                    .onSuccess(put -> {
                        audit.done(request, action);
                        AdminJson.answer(request, json(put));
                    })
                    .onFailure(failure -> failed(request, action, failure));
        });
    }

    private TemporaryOverride parse(Buffer body) {
        JsonFields fields = JsonFields.of(body, "policy", "key", "limit", "ttl", "expires", "reason");
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        String policy = fields.text("policy");
        return new TemporaryOverride(
                policy,
                storable(engine.displayKey(policy, fields.texts("key"))),
                limit(fields.text("limit")),
                now,
                expires(fields, now),
                reason(fields));
    }

    private static Map<String, String> storable(Map<String, String> key) {
        key.forEach((part, value) -> requireUnicode("key." + part, value));
        return key;
    }

    /** Overrides are stored as UTF-8: half of a surrogate pair would become another text there, and so another key. */
    private static void requireUnicode(String field, String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException(field + ": " + AuditLog.quoted(text)
                    + " (expected: Unicode text, without half of a surrogate pair)");
        }
    }

    private static Limit limit(String text) {
        try {
            return Limit.parse(text);
        } catch (LimitSyntaxException e) {
            throw new IllegalArgumentException("limit: " + e.getMessage(), e);
        }
    }

    private static Instant expires(JsonFields fields, Instant now) {
        if (fields.has("ttl") == fields.has("expires")) {
            throw new IllegalArgumentException(
                    "(expected: either ttl, such as 30m, or expires, such as 2026-12-31T23:59:59Z)");
        }
        if (fields.has("ttl")) {
            return now.plus(
                    TimeText.parse("ttl", fields.text("ttl"), MIN_LIFE, MAX_LIFE, "1s to 31d, such as 30m or 2h"));
        }
        String text = fields.text("expires");
        try {
            Instant expires = Instant.parse(text);
            Duration life = Duration.between(now, expires);
            if (life.compareTo(MIN_LIFE) >= 0 && life.compareTo(MAX_LIFE) <= 0) {
                return expires;
            }
        } catch (DateTimeException | ArithmeticException e) {
            // The error below says what was expected.
        }
        throw new IllegalArgumentException(
                "expires: " + text + " (expected: a time from 1s to 31d from now, such as 2026-12-31T23:59:59Z)");
    }

    private static @Nullable String reason(JsonFields fields) {
        if (!fields.has("reason")) {
            return null;
        }
        String reason = fields.text("reason");
        if (reason.length() > MAX_REASON) {
            throw new IllegalArgumentException(
                    "reason: " + reason.length() + " characters (expected: at most " + MAX_REASON + ")");
        }
        requireUnicode("reason", reason);
        return reason;
    }

    private TemporaryOverride put(TemporaryOverride wanted) throws IOException {
        engine.beginTemporary(wanted)
                .toCompletableFuture()
                .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .join();
        repository.change(stored -> {
            List<TemporaryOverride> next = new ArrayList<>(stored);
            next.removeIf(other -> other.id().equals(wanted.id()));
            if (next.size() >= OverrideRepository.MAX) {
                throw new UnsupportedOperationException(
                        next.size() + " overrides (expected: at most " + OverrideRepository.MAX + "; delete some)");
            }
            next.add(wanted);
            return next;
        });
        return wanted;
    }

    void delete(HttpServerRequest request) {
        @Nullable String id = request.getParam("id");
        if (id == null) {
            failed(
                    request,
                    "delete override",
                    new IllegalArgumentException("no id (expected: ?id=ID, of GET /v1/overrides)"));
            return;
        }
        String action = "delete override " + id;
        vertx.executeBlocking(() -> delete(id), false)
                .onSuccess(deleted -> {
                    audit.done(request, action + " of policy " + deleted.policy() + " key " + deleted.key());
                    AdminJson.answer(request, new JsonObject().put("deleted", json(deleted)));
                })
                .onFailure(failure -> failed(request, action, failure));
    }

    private TemporaryOverride delete(String id) throws IOException {
        AtomicReference<TemporaryOverride> found = new AtomicReference<>();
        repository.change(stored -> {
            TemporaryOverride override = stored.stream()
                    .filter(each -> each.id().equals(id))
                    .findFirst()
                    .orElseThrow(() -> new NoSuchElementException(
                            "override: " + id + " (expected: one of those in GET /v1/overrides)"));
            found.set(override);
            return stored.stream().filter(each -> !each.id().equals(id)).toList();
        });
        return Objects.requireNonNull(found.get());
    }

    private void failed(HttpServerRequest request, String action, Throwable failure) {
        FailureResponses.Refusal refusal = FailureResponses.answer(request, failure);
        audit.failed(request, action, refusal.status(), refusal.detail());
    }
}
