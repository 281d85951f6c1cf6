package io.sluice.spring.client;

import io.sluice.spring.SluiceProperties;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

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

    /** The clients that are meant for requests by their URL. */
    List<PacedClient> withUrl() {
        return clients.values().stream().filter(PacedClient::hasUrl).toList();
    }
}
