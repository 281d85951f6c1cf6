package io.sluice.spring.client;

import io.sluice.spring.SluiceProperties;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The clients of the settings, by name. Immutable. */
final class PacedClients {
    private final Map<String, PacedClient> clients = new LinkedHashMap<>();

    PacedClients(
            Map<String, SluiceProperties.Client> settings,
            BiFunction<String, SluiceProperties.Client, PacedClient> create) {
        settings.forEach((name, client) -> clients.put(name, create.apply(name, client)));
    }

    /** @throws IllegalArgumentException if there is no such client */
    PacedClient get(String name) {
        PacedClient client = clients.get(name);
        if (client == null) {
            throw new IllegalArgumentException("client: \"" + name
                    + "\" (expected: a name under sluice.clients, which are " + clients.keySet() + ")");
        }
        return client;
    }

    /**
     * Adds an interceptor for each client that is meant for requests by their URL. A builder of Spring Boot comes here twice, as one to
     * customize and as a bean: what it has already is not added again.
     */
    <I> void addMissing(List<I> interceptors, Function<PacedClient, ? extends I> interceptor) {
        clients.values().stream()
                .filter(PacedClient::hasUrl)
                .<I>map(interceptor)
                .filter(own -> !interceptors.contains(own))
                .forEach(interceptors::add);
    }
}
