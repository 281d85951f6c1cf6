package io.sluice.spring.migrate;

import io.sluice.RateLimitedException;
import io.sluice.spring.RateLimited;
import org.springframework.stereotype.Service;

// docs
@Service
class Checkout {
    @RateLimited(limit = "sliding-counter 20 per 1s slots 2", key = "#shop", fallback = "busy")
    public String order(String shop, String article) {
        return shop + " sells " + article;
    }

    String busy(String shop, String article, RateLimitedException denied) {
        return shop + " is busy";
    }
}
// end
