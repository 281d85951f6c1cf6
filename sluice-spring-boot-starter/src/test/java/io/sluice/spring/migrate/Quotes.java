package io.sluice.spring.migrate;

import io.sluice.RateLimitedException;
import io.sluice.spring.RateLimited;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.springframework.stereotype.Service;

// docs
@Service
class Quotes {
    private final Map<String, String> latest = new ConcurrentHashMap<>();
    private final UnaryOperator<String> exchange;

    Quotes(UnaryOperator<String> exchange) {
        this.exchange = exchange;
    }

    @RateLimited(policy = "quotes", maxWait = "500ms", fallback = "cached")
    public String quote(String symbol) {
        String quote = exchange.apply(symbol);
        latest.put(symbol, quote);
        return quote;
    }

    String cached(String symbol, RateLimitedException denied) {
        return latest.getOrDefault(symbol, "try again in " + denied.retryAfter());
    }
}
// end
