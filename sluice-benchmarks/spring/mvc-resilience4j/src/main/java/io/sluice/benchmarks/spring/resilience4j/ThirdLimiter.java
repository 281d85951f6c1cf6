package io.sluice.benchmarks.spring.resilience4j;

import io.github.resilience4j.ratelimiter.annotation.RateLimiter;
import org.springframework.stereotype.Component;

@Component
class ThirdLimiter {
    @RateLimiter(name = "third")
    public String constant() {
        return "constant";
    }
}
