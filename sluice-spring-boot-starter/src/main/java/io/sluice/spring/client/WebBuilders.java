package io.sluice.spring.client;

import org.springframework.web.reactive.function.client.WebClient;

/** Adds the clients with a URL to what builds a {@code WebClient}. Its own class, because an application need not have WebFlux. */
final class WebBuilders {
    private WebBuilders() {}

    static void extend(WebClient.Builder builder, PacedClients clients) {
        builder.filters(filters -> clients.addMissing(filters, PacingFilter::new));
    }
}
