package io.sluice.server.admin;

import io.sluice.EditionConflictException;
import io.sluice.policy.Policies;
import io.sluice.server.http.Problems;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Puts other policies in force, if those are in force that the request expects. */
final class PolicyChange {
    /** How often to try again where any edition may be replaced. */
    private static final int TRIES = 5;

    private final Vertx vertx;
    private final PolicyBook book;
    private final Audit audit;

    PolicyChange(Vertx vertx, PolicyBook book, Audit audit) {
        this.vertx = vertx;
        this.book = book;
        this.audit = audit;
    }

    /** What came of it. */
    private record Done(long before, long after, Policies policies) {}

    /** Which edition the request is about; null, and refused, if it has to say so and does not. */
    @Nullable
    IfMatch expected(HttpServerRequest request, String what) {
        IfMatch expected = IfMatch.parse(request.getHeader("If-Match"));
        if (expected == null) {
            String detail = "no If-Match (expected: the ETag of GET /v1/policies, so that no change is lost, or *)";
            audit.failed(request, what, 428, detail);
            Problems.answer(request, 428, detail);
        }
        return expected;
    }

    /** @param yaml on a worker thread; may throw what refuses the request */
    void make(HttpServerRequest request, String what, IfMatch expected, Supplier<String> yaml) {
        vertx.executeBlocking(() -> put(expected, yaml.get()), false)
                .onSuccess(done -> {
                    audit.changed(request, what, done.before, done.after);
                    request.response().putHeader("ETag", IfMatch.tag(done.after));
                    AdminJson.answer(
                            request,
                            new JsonObject()
                                    .put("edition", done.after)
                                    .put("durable", book.durable())
                                    .put("policies", done.policies.policies().size())
                                    .put("warnings", AdminJson.problems(done.policies.warnings())));
                })
                .onFailure(failure -> {
                    Failures.Refusal refusal = Failures.answer(request, failure);
                    audit.failed(request, what, refusal.status(), refusal.detail());
                });
    }

    private Done put(IfMatch expected, String yaml) throws IOException {
        Policies policies = Policies.parse(yaml, "policies");
        long after = expected.isAny() ? book.current().edition() : expected.edition();
        for (int tries = 1; ; tries++) {
            try {
                return new Done(after, book.put(yaml, after), policies);
            } catch (EditionConflictException e) {
                if (!expected.isAny() || tries == TRIES) {
                    throw e;
                }
                after = e.latest();
            }
        }
    }
}
