package io.sluice.spring.client;

import org.springframework.http.client.ClientHttpRequestInterceptor;

/**
 * Paces {@code RestClient}s and {@code RestTemplate}s that an application builds without the builders of Spring Boot. A bean.
 *
 * <pre>{@code
 * RestClient partner = RestClient.builder().requestInterceptor(clients.interceptor("partner")).build();
 * }</pre>
 *
 * <p>Builders that are beans already pace the requests of all clients with a {@code url}: do not add the interceptor of such a
 * client to them, because their requests would take two permits.
 */
public final class SluiceClients {
    private final PacedClients clients;

    SluiceClients(PacedClients clients) {
        this.clients = clients;
    }

    /**
     * Paces requests as {@code sluice.clients.<name>} says: those to its {@code url}, or all if it has none. A request fails with {@link
     * io.sluice.RateLimitedException} if it cannot be sent within {@code max-wait}.
     *
     * @throws IllegalArgumentException if there is no such client in the settings
     */
    public ClientHttpRequestInterceptor interceptor(String name) {
        return new PacingInterceptor(clients.get(name));
    }
}
