package com.example.orders;

import io.sluice.spring.RateLimited;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/** The partner that ships the orders. Every call waits for its turn first: all instances together keep the partner's limit. */
@Component
class Partner {
    private final RestClient http;

    Partner(RestClient.Builder http, @Value("${orders.partner.url}") String url) {
        this.http = http.baseUrl(url).build();
    }

    /** Waits at most 30 s for its turn. Then it throws {@link io.sluice.RateLimitedException}, and the partner sees no call. */
    @RateLimited(name = "partner", limit = "${orders.partner.limit}", maxWait = "30s")
    public void ship(Order order) {
        http.post().uri("/shipments").body(order).retrieve().toBodilessEntity();
    }
}
