package io.sluice.spring.client;

import org.springframework.web.reactive.function.client.ExchangeFilterFunction;

/**
 * Paces {@code WebClient}s that an application builds without the builder of Spring Boot. A bean.
 *
 * <pre>{@code
 * WebClient partner = WebClient.builder().filter(clients.filter("partner")).build();
 * }</pre>
 *
 * <p>Builders that are beans already pace the requests of all clients with a {@code url}: do not add the filter of such a client to
 * them, because their requests would take two permits.
 */
public final class SluiceWebClients {
    private final PacedClients clients;

    SluiceWebClients(PacedClients clients) {
        this.clients = clients;
    }

    /**
     * Paces requests as {@code sluice.clients.<name>} says: those to its {@code url}, or all if it has none. A request fails with {@link
     * io.sluice.RateLimitedException} if it cannot be sent within {@code max-wait}.
     *
     * @throws IllegalArgumentException if there is no such client in the settings
     */
    public ExchangeFilterFunction filter(String name) {
        return new PacingFilter(clients.get(name));
    }
}
