package io.sluice.benchmarks.spring.resilience4j;

import io.github.resilience4j.ratelimiter.annotation.RateLimiter;
import org.springframework.stereotype.Component;

@Component
class SecondLimiter {
    private final ThirdLimiter third;

    SecondLimiter(ThirdLimiter third) {
        this.third = third;
    }

    @RateLimiter(name = "second")
    public String constant() {
        return third.constant();
    }
}
