package io.sluice.server.admin;

import io.sluice.policy.Policies;
import io.sluice.server.http.Problems;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Replaces the policies if those in force match the {@code If-Match} of the request. */
final class PolicyChange {
    static final String IF_MATCH = "If-Match";

    private final Vertx vertx;
    private final PolicyRepository repository;
    private final AuditLog audit;
    private final EditionAuthors authors;

    PolicyChange(Vertx vertx, PolicyRepository repository, AuditLog audit, EditionAuthors authors) {
        this.authors = authors;
        this.vertx = vertx;
        this.repository = repository;
        this.audit = audit;
    }

    private record Result(PolicyRepository.Change change, Policies policies) {}

    /** The {@code If-Match} of a request. Returns null and answers with 428 if it is missing. */
    @Nullable
    ETagCondition expected(HttpServerRequest request, String action) {
        ETagCondition expected = ETagCondition.of(request, IF_MATCH);
        if (expected == null) {
            String detail = "no If-Match (expected: the ETag of GET /v1/policies, so that no change is lost, or *)";
            audit.failed(request, action, 428, detail);
            Problems.answer(request, 428, detail);
        }
        return expected;
    }

    /** @param policies runs on a worker thread; may throw */
    void apply(HttpServerRequest request, String action, ETagCondition expected, Supplier<Policies> policies) {
        String who = audit.who(request);
        vertx.executeBlocking(() -> LowPriority.call(() -> replace(expected, policies.get(), who)), false)
                .onSuccess(result -> {
                    audit.changed(request, action, result.change.before(), result.change.after());
                    request.response().putHeader("ETag", PolicyETag.of(result.policies.text()));
                    AdminJson.answer(
                            request,
                            new JsonObject()
                                    .put("edition", result.change.after())
                                    .put("durable", repository.durable())
                                    .put("policies", result.policies.policies().size())
                                    .put("warnings", AdminJson.problems(result.policies.warnings())));
                })
                .onFailure(failure -> {
                    FailureResponses.Refusal refusal = FailureResponses.answer(request, failure);
                    audit.failed(request, action, refusal.status(), refusal.detail());
                });
    }

    private Result replace(ETagCondition expected, Policies policies, String who) throws IOException {
        Result result =
                new Result(repository.replace(policies, text -> expected.matches(PolicyETag.of(text))), policies);
        authors.put(result.change.after(), who);
        return result;
    }
}
