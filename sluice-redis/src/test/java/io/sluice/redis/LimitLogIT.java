package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.StoreListener;
import io.sluice.spi.LimiterSpec;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the log lines about limits in force that a process has not configured. */
class LimitLogIT {
    private static final Limit SMALL = Limit.parse("600/min burst 100");
    private static final Limit LARGE = Limit.parse("900/min burst 100");

    private final RedisProcess redis = RedisProcess.start();
    private final AtomicInteger differing = new AtomicInteger();
    private final RedisStore one = RedisStore.builder()
            .uri(redis.uri())
            .listener(new StoreListener() {
                @Override
                public void limitsDiffer(String limiter, List<Limit> brought, List<Limit> inForce) {
                    differing.incrementAndGet();
                }
            })
            .build();
    private final RedisStore other = RedisStore.connect(redis.uri());
    private final LogLines lines = new LogLines();

    @AfterEach
    void close() {
        lines.close();
        one.close();
        other.close();
        redis.close();
    }

    private static LimiterOptions revision(long revision) {
        return LimiterOptions.onFailure(OnFailure.ALLOW).revision(revision);
    }

    private static void awaitLimit(RateLimiter limiter, Limit limit) {
        Eventually.within(
                Duration.ofSeconds(30),
                () -> "limits: " + limiter.limits(),
                () -> limiter.limits().equals(List.of(limit)));
    }

    /** Lines about outages are left out: stores of earlier tests may still write them, and a busy machine makes Redis late. */
    private List<String> aboutLimits() {
        return lines.with("limiter \"");
    }

    /** The log comes first. */
    private void awaitDiffering(int times) {
        Eventually.within(Duration.ofSeconds(30), () -> "differing: " + differing, () -> differing.get() == times);
    }

    @Test
    void otherLimitInForce_isAWarningThatNamesBoth() {
        one.limiter("api", revision(3), SMALL);
        assertThat(aboutLimits()).isEmpty();
        other.limiter("api", LARGE);
        assertThat(aboutLimits())
                .containsExactly("WARNING: limiter \"api\": this process brings " + LARGE + ", but " + SMALL
                        + " is in force and holds; to change it for all processes, call update, or bring the limit with"
                        + " a revision above 3");
    }

    @Test
    void update_isAWarningInOtherProcesses_onceForEachPair() {
        RateLimiter mine = one.limiter("api", SMALL);
        RateLimiter others = other.limiter("api", SMALL);
        for (int i = 0; i < 2; i++) {
            others.update(LARGE);
            awaitLimit(mine, LARGE);
            others.update(SMALL);
            awaitLimit(mine, SMALL);
        }
        awaitDiffering(2);
        assertThat(aboutLimits()).hasSize(1).first().asString().contains(SMALL.toString(), LARGE.toString());
    }

    @Test
    void enforcedTogether_newerEditionOfAnotherProcess_isLoggedOnce() {
        List<LimiterSpec> old = new ArrayList<>();
        List<LimiterSpec> newer = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            old.add(new LimiterSpec("policy-" + i, revision(1), SMALL));
            newer.add(new LimiterSpec("policy-" + i, revision(2), LARGE));
        }
        List<RateLimiter> limiters = one.enforce(old);
        other.enforce(newer);
        awaitDiffering(limiters.size());
        limiters.forEach(limiter -> awaitLimit(limiter, LARGE));
        assertThat(aboutLimits())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("INFO: ")
                .contains("revision 2", SMALL.toString(), LARGE.toString());
    }
}
