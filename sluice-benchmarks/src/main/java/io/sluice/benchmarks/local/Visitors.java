package io.sluice.benchmarks.local;

import java.util.HashMap;
import java.util.Map;

/** A thousand clients in turn: a hundred tenants with ten addresses each. */
final class Visitors {
    private static final int COUNT = 1000;

    private final Visitor[] visitors = new Visitor[COUNT];
    private int next;

    record Visitor(String tenant, String ip, Map<String, String> attributes) {}

    Visitors() {
        for (int i = 0; i < COUNT; i++) {
            String tenant = "tenant-" + i % 100;
            String ip = "203.0." + i / 250 + "." + i % 250;
            visitors[i] = new Visitor(
                    tenant,
                    ip,
                    new HashMap<>(Map.of("tenant", tenant, "ip", ip, "path", "/api/orders", "method", "POST")));
        }
    }

    Map<String, String> next() {
        return nextVisitor().attributes();
    }

    Visitor nextVisitor() {
        next = next + 1 == COUNT ? 0 : next + 1;
        return visitors[next];
    }
}
