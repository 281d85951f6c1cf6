package io.sluice.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.RateLimitedException;
import io.sluice.policy.PolicyDecision;
import io.sluice.spring.RateLimited;
import io.sluice.spring.web.RequestScope;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class RateLimitedAsyncTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    private final ManualTime time = new ManualTime();
    private final ApplicationContextRunner runner = MethodContexts.at(time)
            .withBean(Quotes.class)
            .withPropertyValues(MethodContexts.policy("per-user", "user", "1/min"));

    @SuppressWarnings("UnusedMethod") // Found by its name or its annotation.
    static class Quotes {
        int calls;

        @RateLimited(limit = "1/min", key = "#user")
        public CompletionStage<String> stage(String user) {
            calls++;
            return CompletableFuture.completedFuture("quote");
        }

        @RateLimited(policy = "per-user", key = "#user", fallback = "cachedFuture")
        public CompletableFuture<String> future(String user) {
            return CompletableFuture.completedFuture("quote");
        }

        private CompletableFuture<String> cachedFuture(RateLimitedException denial) {
            return CompletableFuture.completedFuture("cached by " + denial.limiter());
        }

        @RateLimited(limit = "1/min", key = "#user.toString()")
        public CompletionStage<String> wrong(@org.jspecify.annotations.Nullable String user) {
            return CompletableFuture.completedFuture("quote");
        }

        @RateLimited(limit = "1/min", key = "#user")
        public Mono<Integer> mono(String user) {
            return Mono.just(++calls);
        }

        @RateLimited(limit = "1/min", key = "#user", fallback = "cachedFlux")
        public Flux<Integer> flux(String user) {
            return Flux.range(1, 3);
        }

        Flux<Integer> cachedFlux(String user) {
            return Flux.just(0);
        }

        @RateLimited("per-user")
        public Mono<String> ofRequest() {
            return Mono.just("quote");
        }

        @RateLimited(limit = "1/s", maxWait = "5s")
        public Mono<String> patient() {
            return Mono.just("quote");
        }

        @RateLimited(limit = "leaky-bucket 1/s capacity 3")
        public Mono<String> paced() {
            return Mono.just("quote");
        }

        @RateLimited(limit = "leaky-bucket 1/s capacity 3")
        public CompletableFuture<String> pacedFuture() {
            return CompletableFuture.completedFuture("quote");
        }
    }

    @Test
    void stage_denied_fails() {
        runner.run(context -> {
            Quotes quotes = context.getBean(Quotes.class);
            assertThat(quotes.stage("ada").toCompletableFuture()).isCompletedWithValue("quote");
            assertThat(quotes.stage("ada"))
                    .failsWithin(SOON)
                    .withThrowableThat()
                    .withCauseInstanceOf(RateLimitedException.class);
            assertThat(quotes.stage("bob").toCompletableFuture()).isCompletedWithValue("quote");
        });
    }

    @Test
    void stage_deniedWithFallback_isAnswered() {
        runner.run(context -> {
            Quotes quotes = context.getBean(Quotes.class);
            assertThat(quotes.future("ada")).isCompletedWithValue("quote");
            assertThat(quotes.future("ada")).isCompletedWithValue("cached by per-user");
        });
    }

    @Test
    void stage_expressionFails_failsTheStage() {
        runner.run(context -> assertThat(context.getBean(Quotes.class).wrong(null))
                .failsWithin(SOON)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(IllegalStateException.class)
                .withMessageContaining("Quotes.wrong(String)"));
    }

    @Test
    void mono_isDecidedAtEachSubscription() {
        runner.run(context -> {
            Quotes quotes = context.getBean(Quotes.class);
            Mono<Integer> mono = quotes.mono("ada");
            quotes.mono("ada");
            assertThat(mono.block(SOON)).isEqualTo(1);
            assertThatThrownBy(() -> mono.block(SOON)).isInstanceOf(RateLimitedException.class);
            time.advance(Duration.ofMinutes(1));
            assertThat(mono.block(SOON)).isEqualTo(2);
        });
    }

    @Test
    void flux_deniedWithFallback_isAnswered() {
        runner.run(context -> {
            Flux<Integer> flux = context.getBean(Quotes.class).flux("ada");
            assertThat(flux.collectList().block(SOON)).isEqualTo(List.of(1, 2, 3));
            assertThat(flux.collectList().block(SOON)).isEqualTo(List.of(0));
        });
    }

    @Test
    void mono_takesTheRequestFromItsContext() {
        runner.run(context -> {
            RequestScope ada = new RequestScope(Map.of("user", "ada"), PolicyDecision.of());
            Mono<String> mono = context.getBean(Quotes.class).ofRequest();
            Mono<String> ofAda = mono.contextWrite(values -> values.put(RequestScope.class, ada));
            assertThat(ofAda.block(SOON)).isEqualTo("quote");
            assertThatThrownBy(() -> ofAda.block(SOON)).isInstanceOf(RateLimitedException.class);
            assertThat(mono.block(SOON)).isEqualTo("quote");
            assertThat(mono.block(SOON)).isEqualTo("quote");
        });
    }

    @Test
    void mono_waits_andCancelGivesBack() {
        runner.run(context -> {
            Mono<String> mono = context.getBean(Quotes.class).patient();
            mono.block(SOON);
            Disposable second = mono.subscribe();
            assertThat(second.isDisposed()).isFalse();
            second.dispose();
            CompletableFuture<String> third = mono.toFuture();
            assertThat(third).isNotDone();
            time.advance(Duration.ofSeconds(1));
            assertThat(third.get(10, TimeUnit.SECONDS)).isEqualTo("quote");
        });
    }

    @Test
    void leakyBucket_delay_isWaited_andCancelGivesBack() {
        runner.run(context -> {
            Mono<String> mono = context.getBean(Quotes.class).paced();
            mono.block(SOON);
            Disposable second = mono.subscribe();
            assertThat(second.isDisposed()).isFalse();
            second.dispose();
            CompletableFuture<String> third = mono.toFuture();
            assertThat(third).isNotDone();
            time.advance(Duration.ofSeconds(1));
            assertThat(third.get(10, TimeUnit.SECONDS)).isEqualTo("quote");

            Quotes quotes = context.getBean(Quotes.class);
            quotes.pacedFuture().get(10, TimeUnit.SECONDS);
            CompletableFuture<String> cancelled = quotes.pacedFuture();
            assertThat(cancelled).isNotDone();
            cancelled.cancel(false);
            CompletableFuture<String> next = quotes.pacedFuture();
            time.advance(Duration.ofSeconds(1));
            assertThat(next.get(10, TimeUnit.SECONDS)).isEqualTo("quote");
        });
    }
}
