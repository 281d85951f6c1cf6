package io.sluice.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.RateLimitedException;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyEngine;
import io.sluice.spring.RateLimited;
import io.sluice.spring.web.RequestScope;
import io.sluice.spring.web.RequestScope.End;
import io.sluice.spring.web.RequestScope.Ending;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.http.ResponseEntity;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** {@code @RateLimited} with a concurrency limit: a call enters, and leaves however it ends. */
class RateLimitedInFlightTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    private final ManualTime time = new ManualTime();
    private final ApplicationContextRunner runner = MethodContexts.at(time)
            .withBean(Reports.class)
            .withPropertyValues(MethodContexts.policy("per-user", "user", "concurrency 1 hold 30s"));

    @SuppressWarnings("UnusedMethod") // Found by its name or its annotation.
    static class Reports {
        @RateLimited(limit = "concurrency 1 hold 30s")
        public String plain(Supplier<String> work) {
            return work.get();
        }

        @RateLimited(limit = "concurrency 1", key = "#user", fallback = "cached")
        public String keyed(String user, Supplier<String> work) {
            return work.get();
        }

        private String cached(RateLimitedException denial) {
            return denial.decision().allowed() ? "not denied" : "cached";
        }

        @RateLimited(policy = "per-user", key = "#user")
        public String byPolicy(String user, Supplier<String> work) {
            return work.get();
        }

        @RateLimited(policy = "per-user", key = "#user", permits = "#n")
        public String counted(String user, long n) {
            return "counted";
        }

        @RateLimited(policy = "per-user", key = "#user", maxWait = "20s")
        public CompletionStage<String> patient(String user, CompletionStage<String> work) {
            return work;
        }

        @RateLimited(limit = "concurrency 1", maxWait = "20s")
        public CompletionStage<String> patientLimit(CompletionStage<String> work) {
            return work;
        }

        @RateLimited(policy = "per-user", key = "#user")
        public CompletionStage<String> stage(String user, CompletionStage<String> work) {
            return work;
        }

        @RateLimited(policy = "per-user", key = "#user")
        public Mono<String> mono(String user, Mono<String> work) {
            return work;
        }

        @RateLimited(policy = "per-user", key = "#user")
        public Flux<String> flux(String user, Flux<String> work) {
            return work;
        }

        @RateLimited(policy = "per-user", key = "#user")
        public Object unfinished(String user, Object result) {
            return result;
        }
    }

    /** The permits of the policy that a user has free. */
    private static long free(PolicyEngine engine, String user) {
        return engine.check(Map.of("user", user), 0).results().get(0).decision().remaining();
    }

    @Test
    void call_holdsWhileItRuns_andLeavesAfterAFailure() {
        runner.run(context -> {
            Reports reports = context.getBean(Reports.class);
            assertThat(reports.plain(() -> {
                        assertThatThrownBy(() -> reports.plain(() -> "inner"))
                                .isInstanceOfSatisfying(
                                        RateLimitedException.class,
                                        denial ->
                                                assertThat(denial.retryAfter()).isEqualTo(Duration.ofSeconds(1)));
                        return "outer";
                    }))
                    .isEqualTo("outer");
            assertThatThrownBy(() -> reports.plain(() -> {
                        throw new IllegalStateException("as the test wants");
                    }))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(reports.plain(() -> "free")).isEqualTo("free");
        });
    }

    @Test
    void call_isRenewedWhileItRuns() {
        runner.run(context -> {
            Reports reports = context.getBean(Reports.class);
            reports.plain(() -> {
                for (int i = 0; i < 20; i++) {
                    time.advance(Duration.ofSeconds(10));
                }
                assertThatThrownBy(() -> reports.plain(() -> "inner")).isInstanceOf(RateLimitedException.class);
                return "long";
            });
        });
    }

    @Test
    void keys_areCountedApart_andAFallbackAnswers() {
        runner.run(context -> {
            Reports reports = context.getBean(Reports.class);
            assertThat(reports.keyed(
                            "ada", () -> reports.keyed("bob", () -> "bob") + reports.keyed("ada", () -> "ada")))
                    .isEqualTo("bobcached");
        });
    }

    @Test
    void policy_isEnteredByTheCall() {
        runner.run(context -> {
            Reports reports = context.getBean(Reports.class);
            PolicyEngine engine = context.getBean(PolicyEngine.class);
            assertThat(reports.byPolicy("ada", () -> "free " + free(engine, "ada")))
                    .isEqualTo("free 0");
            assertThat(free(engine, "ada")).isEqualTo(1);
            assertThatThrownBy(() -> reports.byPolicy("ada", () -> reports.byPolicy("ada", () -> "inner")))
                    .isInstanceOfSatisfying(RateLimitedException.class, denial -> {
                        assertThat(denial.limiter()).isEqualTo("per-user");
                        assertThat(denial.retryAfter()).isEqualTo(Duration.ofSeconds(1));
                    });
            assertThat(free(engine, "ada")).isEqualTo(1);
            assertThat(reports.counted("ada", 7)).isEqualTo("counted");
            assertThat(reports.byPolicy("ada", () -> reports.counted("ada", 0))).isEqualTo("counted");
        });
    }

    @Test
    void stage_holdsUntilItCompletes_failsOrIsCancelled() {
        runner.run(context -> {
            Reports reports = context.getBean(Reports.class);
            PolicyEngine engine = context.getBean(PolicyEngine.class);
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletionStage<String> called = reports.stage("ada", work);
            assertThat(free(engine, "ada")).isZero();
            assertThat(reports.stage("ada", work))
                    .failsWithin(SOON)
                    .withThrowableThat()
                    .withCauseInstanceOf(RateLimitedException.class);
            work.complete("done");
            assertThat(called.toCompletableFuture()).isCompletedWithValue("done");
            assertThat(free(engine, "ada")).isEqualTo(1);

            CompletableFuture<String> failing = new CompletableFuture<>();
            reports.stage("ada", failing);
            failing.completeExceptionally(new IllegalStateException("as the test wants"));
            assertThat(free(engine, "ada")).isEqualTo(1);

            CompletableFuture<String> cancelled = new CompletableFuture<>();
            reports.stage("ada", cancelled).toCompletableFuture().cancel(false);
            assertThat(free(engine, "ada")).isEqualTo(1);
        });
    }

    @Test
    void mono_holdsFromItsSubscription_untilItEnds() {
        runner.run(context -> {
            Reports reports = context.getBean(Reports.class);
            PolicyEngine engine = context.getBean(PolicyEngine.class);
            Sinks.One<String> work = Sinks.one();
            Mono<String> mono = reports.mono("ada", work.asMono());
            assertThat(free(engine, "ada")).as("not subscribed").isEqualTo(1);
            CompletableFuture<String> called = mono.toFuture();
            assertThat(free(engine, "ada")).isZero();
            assertThatThrownBy(() -> mono.block(SOON)).isInstanceOf(RateLimitedException.class);
            work.tryEmitValue("done");
            assertThat(called.get(10, TimeUnit.SECONDS)).isEqualTo("done");
            assertThat(free(engine, "ada")).isEqualTo(1);

            assertThatThrownBy(() -> reports.mono("ada", Mono.error(new IllegalStateException("as the test wants")))
                            .block(SOON))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(free(engine, "ada")).isEqualTo(1);

            Disposable cancelled = reports.mono("ada", Mono.never()).subscribe();
            assertThat(free(engine, "ada")).isZero();
            cancelled.dispose();
            assertThat(free(engine, "ada")).isEqualTo(1);

            assertThatThrownBy(() -> reports.mono("ada", Mono.never())
                            .timeout(Duration.ofMillis(1))
                            .block(SOON))
                    .hasCauseInstanceOf(java.util.concurrent.TimeoutException.class);
            assertThat(free(engine, "ada")).isEqualTo(1);
        });
    }

    @Test
    void flux_holdsUntilItsLastElement_failureOrCancel() {
        runner.run(context -> {
            Reports reports = context.getBean(Reports.class);
            PolicyEngine engine = context.getBean(PolicyEngine.class);
            assertThat(reports.flux(
                                    "ada",
                                    Flux.just("a", "b")
                                            .doOnNext(part -> assertThat(free(engine, "ada"))
                                                    .isZero()))
                            .collectList()
                            .block(SOON))
                    .containsExactly("a", "b");
            assertThat(free(engine, "ada")).isEqualTo(1);
            assertThat(reports.flux("ada", Flux.just("a", "b", "c")).take(1).blockLast(SOON))
                    .isEqualTo("a");
            assertThat(free(engine, "ada")).as("cancelled after the first").isEqualTo(1);
            assertThatThrownBy(() -> reports.flux("ada", Flux.error(new IllegalStateException("as the test wants")))
                            .blockLast(SOON))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(free(engine, "ada")).isEqualTo(1);
        });
    }

    @Test
    void maxWait_waitsUntilAnotherLeaves() {
        runner.run(context -> {
            Reports reports = context.getBean(Reports.class);
            CompletableFuture<String> first = new CompletableFuture<>();
            CompletableFuture<String> second = new CompletableFuture<>();
            reports.patient("ada", first);
            CompletableFuture<String> waiting = reports.patient("ada", second).toCompletableFuture();
            second.complete("second");
            assertThat(waiting).isNotDone();
            first.complete("first");
            assertThat(waiting.get(10, TimeUnit.SECONDS)).isEqualTo("second");

            CompletableFuture<String> held = new CompletableFuture<>();
            reports.patientLimit(held);
            CompletableFuture<String> late = reports.patientLimit(CompletableFuture.completedFuture("late"))
                    .toCompletableFuture();
            assertThat(late).isNotDone();
            time.advance(Duration.ofSeconds(20));
            assertThat(late).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(RateLimitedException.class);
        });
    }

    @Test
    void unfinishedResult_leavesWithTheResponse() {
        runner.run(context -> {
            Reports reports = context.getBean(Reports.class);
            PolicyEngine engine = context.getBean(PolicyEngine.class);
            StreamingResponseBody stream = out -> {};
            Callable<String> callable = () -> "called";
            for (Object result : new Object[] {new DeferredResult<>(), stream, callable, ResponseEntity.ok(stream)}) {
                RequestScope scope = new RequestScope(Map.of(), PolicyDecision.of());
                MockHttpServletRequest request = new MockHttpServletRequest();
                request.setAttribute(RequestScope.ATTRIBUTE, scope);
                RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
                try {
                    reports.unfinished("ada", result);
                    assertThat(free(engine, "ada")).isZero();
                    scope.end(new End(Ending.TIMED_OUT, 503, null));
                    assertThat(free(engine, "ada")).isEqualTo(1);
                    reports.unfinished("ada", "finished");
                    assertThat(free(engine, "ada")).isEqualTo(1);
                } finally {
                    RequestContextHolder.resetRequestAttributes();
                }
            }
            reports.unfinished("ada", callable);
            assertThat(free(engine, "ada")).as("without a request").isEqualTo(1);
        });
    }
}
