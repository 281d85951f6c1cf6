package io.sluice.server.admin;

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
    static final String IF_MATCH = "If-Match";

    private final Vertx vertx;
    private final PolicyBook book;
    private final Audit audit;

    PolicyChange(Vertx vertx, PolicyBook book, Audit audit) {
        this.vertx = vertx;
        this.book = book;
        this.audit = audit;
    }

    /** What came of it. */
    private record Done(PolicyBook.Change change, Policies policies) {}

    /** Which policies the request means to replace; null, and refused, if it has to say so and does not. */
    @Nullable
    EntityTags expected(HttpServerRequest request, String what) {
        EntityTags expected = EntityTags.of(request, IF_MATCH);
        if (expected == null) {
            String detail = "no If-Match (expected: the ETag of GET /v1/policies, so that no change is lost, or *)";
            audit.failed(request, what, 428, detail);
            Problems.answer(request, 428, detail);
        }
        return expected;
    }

    /** @param policies on a worker thread; may throw what refuses the request */
    void make(HttpServerRequest request, String what, EntityTags expected, Supplier<Policies> policies) {
        vertx.executeBlocking(() -> LowPriority.call(() -> put(expected, policies.get())), false)
                .onSuccess(done -> {
                    audit.changed(request, what, done.change.before(), done.change.after());
                    request.response().putHeader("ETag", EntityTag.of(done.policies.text()));
                    AdminJson.answer(
                            request,
                            new JsonObject()
                                    .put("edition", done.change.after())
                                    .put("durable", book.durable())
                                    .put("policies", done.policies.policies().size())
                                    .put("warnings", AdminJson.problems(done.policies.warnings())));
                })
                .onFailure(failure -> {
                    Failures.Refusal refusal = Failures.answer(request, failure);
                    audit.failed(request, what, refusal.status(), refusal.detail());
                });
    }

    private Done put(EntityTags expected, Policies policies) throws IOException {
        return new Done(book.put(policies, text -> expected.matches(EntityTag.of(text))), policies);
    }
}
