package io.sluice.server.guard;

import java.util.LinkedHashMap;
import java.util.Map;

/** Addresses that have shown the right secret: as many as fit, the latest of them. Thread-safe. */
final class KnownAddresses {
    private static final int MOST = 1000;

    private final Map<String, Boolean> latest = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST;
        }
    };

    synchronized void add(String source) {
        latest.put(source, true);
    }

    synchronized boolean contains(String source) {
        return latest.containsKey(source);
    }
}
