package com.example.orders;

import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** The tenants and their API keys. */
@Component
class Tenants {
    private final Map<String, Tenant> byApiKey =
            Map.of("free-key", new Tenant("corner-shop", "free"), "pro-key", new Tenant("warehouse", "pro"));

    /** @param apiKey may be null */
    Optional<Tenant> ofApiKey(String apiKey) {
        return Optional.ofNullable(apiKey).map(byApiKey::get);
    }
}
