package io.sluice.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import io.sluice.RateLimitedException;
import io.sluice.RateLimiter;
import io.sluice.memory.MemoryStore;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyEngine;
import io.sluice.spring.web.RequestScope.End;
import io.sluice.spring.web.RequestScope.Ending;
import io.sluice.testkit.ManualTime;
import java.io.EOFException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.server.ResponseStatusException;

class FinishedRequestsTest {
    private static final Policies POLICIES = Policies.parse("""
                    version: 1
                    policies:
                      - name: errors
                        limit: 100/h
                        scope: process
                        adapt: { signal: errors, above: 50%, below: 10%, every: 1s }
                      - name: latency
                        limit: 100/h
                        scope: process
                        adapt: { signal: latency, percentile: 50, target: 1s, above: 100%, below: 10%, every: 1h }
                    """, "test");

    private final ManualTime time = new ManualTime();
    private final PolicyEngine engine = PolicyEngine.builder()
            .time(time)
            .store(MemoryStore.builder().time(time).build())
            .policies(POLICIES)
            .build();
    private final FinishedRequests finished = new FinishedRequests(engine, time);

    @AfterEach
    void close() {
        engine.close();
    }

    private RequestScope begin() {
        RequestScope scope = new RequestScope(Map.of(), PolicyDecision.of());
        finished.watch(scope);
        return scope;
    }

    /** Whether the request counts as a failure. */
    private boolean fails(Ending ending, int status, @Nullable Throwable failure) {
        // Without and with the policies: then the factor is 1 again.
        engine.replace(Policies.parse("version: 1\npolicies: []\n", "none"));
        engine.replace(POLICIES);
        begin().end(new End(ending, status, failure));
        time.advance(Duration.ofSeconds(1));
        return engine.factors().getOrDefault("errors", BigDecimal.ZERO).compareTo(BigDecimal.ONE) < 0;
    }

    @ResponseStatus(HttpStatus.NOT_FOUND)
    static final class Missing extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    @Test
    void serverErrorsAndTimeouts_areFailures() {
        assertThat(fails(Ending.COMPLETED, 500, null)).isTrue();
        assertThat(fails(Ending.FAILED, 200, new IllegalStateException("x"))).isTrue();
        assertThat(fails(Ending.FAILED, 0, null)).isTrue();
        assertThat(fails(Ending.FAILED, 0, new ResponseStatusException(HttpStatus.BAD_GATEWAY)))
                .isTrue();
        assertThat(fails(Ending.TIMED_OUT, 0, null)).isTrue();
    }

    @Test
    void whatIsTheClientsFault_isNoFailure() {
        assertThat(fails(Ending.COMPLETED, 200, null)).isFalse();
        assertThat(fails(Ending.COMPLETED, 404, null)).isFalse();
        assertThat(fails(Ending.FAILED, 0, new ResponseStatusException(HttpStatus.NOT_FOUND)))
                .isFalse();
        assertThat(fails(Ending.FAILED, 0, new Missing())).isFalse();
        assertThat(fails(Ending.FAILED, 0, new AccessDeniedException("x"))).isFalse();
        assertThat(fails(Ending.FAILED, 200, new EOFException("x"))).isFalse();
        assertThat(fails(Ending.CANCELLED, 0, null)).isFalse();
    }

    /** A request that a method denies says nothing about how well requests are answered. */
    @Test
    void deniedRequests_areNotReported() {
        assertThat(fails(Ending.COMPLETED, 429, null)).isFalse();
        assertThat(fails(
                        Ending.FAILED,
                        0,
                        new RateLimitedException(
                                "a", "", 1, RateLimiter.of(Limit.blocked()).check("a", 1))))
                .isFalse();
    }

    /** The client gets 429 for it, see {@link DenialOf}. */
    @Test
    void deniedRequest_whoseDenialIsWrapped_isNotReported() {
        RateLimitedException denial = new RateLimitedException(
                "a", "", 1, RateLimiter.of(Limit.blocked()).check("a", 1));
        assertThat(fails(Ending.FAILED, 0, new IllegalStateException(denial))).isFalse();
        assertThat(fails(Ending.FAILED, 0, new ResponseStatusException(HttpStatus.BAD_GATEWAY, "x", denial)))
                .isTrue();
    }

    @Test
    void latency_isTheTimeUntilTheEnd() {
        RequestScope slow = begin();
        time.advance(Duration.ofSeconds(2));
        slow.end(new End(Ending.COMPLETED, 200, null));
        time.advance(Duration.ofHours(1));
        assertThat(engine.factors().getOrDefault("latency", BigDecimal.ZERO)).isEqualByComparingTo("0.5");
    }

    @Test
    void latency_belowTheTarget_changesNothing() {
        RequestScope fast = begin();
        time.advance(Duration.ofMillis(900));
        fast.end(new End(Ending.COMPLETED, 200, null));
        time.advance(Duration.ofHours(1));
        assertThat(engine.factors().getOrDefault("latency", BigDecimal.ZERO)).isEqualByComparingTo("1");
    }
}
