package io.sluice.benchmarks.spring.resilience4j;

import io.github.resilience4j.ratelimiter.annotation.RateLimiter;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Returns the constant through three rate limiters. A method can have only one, so three methods are nested. */
@RestController
class LimitedController {
    private final SecondLimiter second;

    LimitedController(SecondLimiter second) {
        this.second = second;
    }

    @GetMapping("/constant")
    @RateLimiter(name = "first")
    public String constant() {
        return second.constant();
    }
}
