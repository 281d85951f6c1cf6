package io.sluice.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import io.sluice.memory.MemoryStore;
import io.sluice.policy.PolicyEngine;
import io.sluice.spi.PolicyStore;
import io.sluice.spring.WithoutGateway;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

@SpringBootTest(
        classes = TestedApplication.class,
        webEnvironment = WebEnvironment.NONE,
        properties = {
            WithoutGateway.ENABLED,
            WithoutGateway.REDIS,
            TestedApplication.NAME,
            TestedApplication.KEY,
            TestedApplication.LIMIT,
            TestedApplication.REDIS
        })
@Tag("slow")
@AutoConfigureSluice
class AutoConfigureSluiceTest {
    private static final Map<String, String> ACME = Map.of("tenant", "acme");

    @Autowired
    PolicyEngine engine;

    @Autowired
    PolicyStore store;

    @Autowired
    ManualTime time;

    private int allowedBefore;

    @BeforeEach
    void useOne() {
        allowedBefore = engine.check(ACME).allowed() ? 1 : 0;
    }

    @Test
    void store_isInMemory() {
        assertThat(store).isInstanceOf(MemoryStore.class);
    }

    @Test
    void time_standsStillUntilItIsMoved() {
        assertThat(engine.check(ACME).allowed()).isTrue();
        assertThat(engine.check(ACME).allowed()).isFalse();
        time.advance(Duration.ofMinutes(30));
        assertThat(engine.check(ACME).allowed()).isTrue();
        assertThat(engine.check(ACME).allowed()).isFalse();
    }

    @RepeatedTest(3)
    void method_startsWithFreshLimits() {
        assertThat(allowedBefore).isEqualTo(1);
        assertThat(engine.check(ACME).allowed()).isTrue();
        assertThat(engine.check(ACME).allowed()).isFalse();
    }

    @RepeatedTest(2)
    void method_afterOtherKindsOfUse_startsWithFreshLimits() {
        Limit limit = Limit.parse("2 per 1d");
        assertThat(store.limiter("gate", limit).forKey("k").tryAcquire()).isTrue();
        assertThat(store.limiter("gate", limit).check("k", 2).allowed()).isFalse();
        assertThat(store.callLimiter("calls").check("k", 2, limit).allowed()).isTrue();
        Limit locked = Limit.parse("sliding-log 1 per 1h lockout 3d");
        assertThat(store.limiter("locked", locked).tryAcquire("k")).isTrue();
        assertThat(store.limiter("locked", locked).tryAcquire("k")).isFalse();
        store.limiter("paused", limit).pause("k", Duration.ofDays(10));
    }

    @Nested
    class InANestedClass {
        @RepeatedTest(2)
        void method_startsWithFreshLimits() {
            assertThat(allowedBefore).isEqualTo(1);
            assertThat(engine.check(ACME).allowed()).isTrue();
        }
    }
}
