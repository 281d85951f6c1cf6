package io.sluice.server.guard;

import java.util.LinkedHashMap;
import java.util.Map;

/** The latest networks that have sent the right secret. Thread-safe. */
final class AuthenticatedNetworks {
    private static final int MAX = 1000;

    private final Map<String, Boolean> latest = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MAX;
        }
    };

    synchronized void add(String network) {
        latest.put(network, true);
    }

    synchronized boolean contains(String network) {
        return latest.containsKey(network);
    }
}
