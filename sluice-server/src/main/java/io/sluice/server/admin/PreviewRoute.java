package io.sluice.server.admin;

import io.sluice.policy.Policies;
import io.sluice.policy.PolicyException;
import io.sluice.policy.WebhookHosts;
import io.sluice.server.http.Problems;
import io.sluice.server.http.RequestBodies;
import io.sluice.server.http.Route;
import io.sluice.server.recording.RecordedRequest;
import io.sluice.server.recording.Recording;
import io.sluice.server.recording.Replay;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/policies:preview}: validates policies, and says what they would have denied or allowed of the recorded requests.
 * Changes nothing.
 */
final class PreviewRoute implements Route {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /** Previews that wait or run. */
    private static final int MAX_PENDING = 8;

    private final WorkerExecutor worker;
    private final PolicyRepository repository;
    private final Recording recording;
    private final WebhookHosts hosts;
    private final AtomicInteger pending = new AtomicInteger();

    PreviewRoute(Vertx vertx, PolicyRepository repository, Recording recording, WebhookHosts hosts) {
        // One after the other, so that previews never take more than one processor.
        worker = vertx.createSharedWorkerExecutor("sluice-preview", 1);
        this.repository = repository;
        this.recording = recording;
        this.hosts = hosts;
    }

    @Override
    public void handle(HttpServerRequest request) {
        @Nullable String replay = request.getParam("replay");
        if (replay != null && !replay.equals("true") && !replay.equals("false")) {
            Problems.answer(request, 400, "replay: " + replay + " (expected: true or false)");
            return;
        }
        RequestBodies.read(request, PolicyRoutes.MAX_BYTES, body -> {
            if (pending.incrementAndGet() > MAX_PENDING) {
                pending.decrementAndGet();
                request.response().putHeader("Retry-After", "1");
                Problems.answer(request, 503, "too many previews at the same time (expected: another try in 1 s)");
                return;
            }
            worker.executeBlocking(() -> LowPriority.call(() -> preview(body, "true".equals(replay))), false)
                    .onComplete(done -> pending.decrementAndGet())
                    .onSuccess(json -> AdminJson.answer(request, json))
                    .onFailure(failure -> FailureResponses.answer(request, failure));
        });
    }

    private JsonObject preview(Buffer body, boolean replay) {
        Policies next;
        try {
            next = Policies.parse(body.getBytes(), "policies", hosts);
        } catch (PolicyException e) {
            return new JsonObject()
                    .put("valid", false)
                    .put("problems", AdminJson.problems(e.problems()))
                    .put("warnings", new JsonArray())
                    .put("diff", null)
                    .put("replay", null);
        }
        Policies now = repository.current().policies();
        return new JsonObject()
                .put("valid", true)
                .put("problems", new JsonArray())
                .put("warnings", AdminJson.problems(next.warnings()))
                .put("diff", PolicyDiff.of(now, next))
                .put("replay", replay ? json(new Replay(now, next, PATIENCE).run(recording.content())) : null);
    }

    private static JsonObject json(Replay.Result result) {
        List<RecordedRequest> requests = result.recording().requests();
        JsonArray policies = new JsonArray();
        result.policies()
                .forEach((name, change) -> policies.add(new JsonObject()
                        .put("policy", name)
                        .put("before_denied", change.deniedBefore())
                        .put("after_denied", change.deniedAfter())
                        .put("newly_denied", change.newlyDenied())
                        .put("newly_allowed", change.newlyAllowed())));
        JsonArray examples = new JsonArray();
        result.examples()
                .forEach(example -> examples.add(new JsonObject()
                        .put("t", example.request().micros() / 1000)
                        .put("attributes", AdminJson.key(example.request().attributes()))
                        .put("permits", example.request().permits())
                        .put("before", example.violatedBefore().isEmpty())
                        .put("after", example.violatedAfter().isEmpty())
                        .put("violated_before", new JsonArray(example.violatedBefore()))
                        .put("violated_after", new JsonArray(example.violatedAfter()))));
        return new JsonObject()
                .put("from", requests.isEmpty() ? null : requests.get(0).micros() / 1000)
                .put(
                        "to",
                        requests.isEmpty()
                                ? null
                                : requests.get(requests.size() - 1).micros() / 1000)
                .put("recorded", requests.size())
                .put("replayed", result.replayed())
                .put("share_percent", percent(result.recording().share()))
                .put("before", counts(result.allowedBefore(), result.replayed()))
                .put("after", counts(result.allowedAfter(), result.replayed()))
                .put("newly_denied", result.newlyDenied())
                .put("newly_allowed", result.newlyAllowed())
                .put("policies", policies)
                .put("examples", examples)
                .put("note", result.note());
    }

    /** At least 1. */
    static long percent(double share) {
        return Math.max(1, Math.round(share * 100));
    }

    private static JsonObject counts(long allowed, long all) {
        return new JsonObject().put("allowed", allowed).put("denied", all - allowed);
    }
}
