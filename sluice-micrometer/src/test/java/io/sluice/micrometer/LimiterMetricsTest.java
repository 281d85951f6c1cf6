package io.sluice.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.memory.MemoryStore;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LimiterMetricsTest {
    private static final Decision ALLOWED = Decision.allowed(1, 0, 0);
    private static final Decision DENIED = Decision.denied(0, 1, 1);

    private final LimiterMetrics metrics = new LimiterMetrics();
    private final MeterRegistry registry = new SimpleMeterRegistry();

    private double decisions(MeterRegistry registry, String limiter, String outcome) {
        return registry.get("sluice.limiter.decisions")
                .tags("limiter", limiter, "outcome", outcome)
                .functionCounter()
                .count();
    }

    private Timer waits(String limiter, String result) {
        return registry.get("sluice.limiter.waits")
                .tags("limiter", limiter, "result", result)
                .timer();
    }

    private Set<String> limiters() {
        return registry.getMeters().stream()
                .map(meter -> String.valueOf(meter.getId().getTag("limiter")))
                .collect(Collectors.toSet());
    }

    @Test
    void limiter_withTheMetricsAsListener_isMeasured() throws InterruptedException {
        metrics.bindTo(registry);
        RateLimiter limiter =
                MemoryStore.create().limiter("api", Limit.parse("1/d")).withListener(metrics);

        limiter.tryAcquire("user");
        limiter.check("user");
        limiter.acquire("another");

        assertThat(decisions(registry, "api", "allowed")).isEqualTo(1);
        assertThat(decisions(registry, "api", "denied")).isEqualTo(1);
        assertThat(waits("api", "acquired").count()).isEqualTo(1);
    }

    @Test
    void decided_everyOutcome_isCountedOnce() {
        metrics.bindTo(registry);
        metrics.decided("api", "user-1", 1, ALLOWED);
        metrics.decided("api", "user-2", 5, ALLOWED);
        metrics.decided("api", "user-1", 1, DENIED);
        metrics.decided("api", "user-1", 1, ALLOWED.asDegraded());
        metrics.decided("api", "user-1", 1, DENIED.asDegraded());
        metrics.decided("login", "user-1", 1, DENIED);
        assertThat(decisions(registry, "api", "allowed")).isEqualTo(2);
        assertThat(decisions(registry, "api", "denied")).isEqualTo(1);
        assertThat(decisions(registry, "api", "degraded")).isEqualTo(2);
        assertThat(decisions(registry, "login", "denied")).isEqualTo(1);
        assertThat(decisions(registry, "login", "allowed")).isZero();
    }

    @Test
    void waited_acquiredOrNot_isTimed() {
        metrics.waited("api", "user-1", 1, true, Duration.ofSeconds(9));
        metrics.bindTo(registry);
        metrics.waited("api", "user-1", 1, true, Duration.ofMillis(20));
        metrics.waited("api", "user-1", 1, true, Duration.ZERO);
        metrics.waited("api", "user-1", 1, false, Duration.ofSeconds(1));
        assertThat(waits("api", "acquired").count())
                .as("the timer starts when it is bound")
                .isEqualTo(2);
        assertThat(waits("api", "acquired").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(20);
        assertThat(waits("api", "failed").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(1000);
        assertThat(decisions(registry, "api", "allowed"))
                .as("a wait is not a decision")
                .isZero();
    }

    @Test
    void bindTo_beforeAndAfterDecisionsAndTwice_showsAll() {
        MeterRegistry later = new SimpleMeterRegistry();
        metrics.bindTo(registry);
        metrics.decided("api", "user-1", 1, ALLOWED);
        metrics.bindTo(later);
        metrics.bindTo(registry);
        metrics.waited("api", "user-1", 1, true, Duration.ofMillis(1));
        assertThat(decisions(registry, "api", "allowed")).isEqualTo(1);
        assertThat(decisions(later, "api", "allowed")).isEqualTo(1);
        assertThat(waits("api", "acquired").count()).isEqualTo(1);
    }

    @Test
    void names_beyondTheMaximum_shareOne() {
        metrics.bindTo(registry);
        for (int i = 0; i < LimiterMetrics.MAX_LIMITERS + 500; i++) {
            metrics.decided("limiter-" + i, "user-1", 1, ALLOWED);
        }
        metrics.decided("limiter-0", "user-1", 1, ALLOWED);
        metrics.decided("limiter-1499", "user-1", 1, DENIED);
        assertThat(limiters())
                .hasSize(LimiterMetrics.MAX_LIMITERS + 1)
                .contains("limiter-0", "limiter-999", "other")
                .doesNotContain("limiter-1000");
        assertThat(decisions(registry, "limiter-0", "allowed")).isEqualTo(2);
        assertThat(decisions(registry, "other", "allowed")).isEqualTo(500);
        assertThat(decisions(registry, "other", "denied")).isEqualTo(1);
        MeterRegistry later = new SimpleMeterRegistry();
        metrics.bindTo(later);
        assertThat(decisions(later, "other", "allowed")).isEqualTo(500);
    }

    @Test
    void names_aLimiterCalledOther_sharesWithTheRest() {
        metrics.bindTo(registry);
        metrics.decided("other", "user-1", 1, ALLOWED);
        for (int i = 0; i < LimiterMetrics.MAX_LIMITERS; i++) {
            metrics.decided("limiter-" + i, "user-1", 1, ALLOWED);
        }
        assertThat(decisions(registry, "other", "allowed")).isEqualTo(2);
        assertThat(limiters()).hasSize(LimiterMetrics.MAX_LIMITERS);
    }

    @Test
    void decided_byManyThreads_losesNothing() throws InterruptedException {
        metrics.bindTo(registry);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        CountDownLatch start = new CountDownLatch(4);
        for (int i = 0; i < 4; i++) {
            threads.execute(() -> {
                start.countDown();
                try {
                    start.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                for (int n = 0; n < 2000; n++) {
                    metrics.decided("limiter-" + n, "user-1", 1, ALLOWED);
                }
            });
        }
        threads.shutdown();
        assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        double sum = registry.find("sluice.limiter.decisions").functionCounters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
        assertThat(sum).isEqualTo(8000);
        assertThat(limiters()).hasSize(LimiterMetrics.MAX_LIMITERS + 1);
    }

    @Test
    void tags_keys_areAbsent() {
        metrics.bindTo(registry);
        metrics.decided("api", "secret key", 1, ALLOWED);
        metrics.waited("api", "secret key", 1, true, Duration.ZERO);
        assertThat(registry.getMeters())
                .isNotEmpty()
                .allSatisfy(meter -> assertThat(meter.getId().toString()).doesNotContain("secret"));
    }
}
