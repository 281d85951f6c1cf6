package io.sluice.server.simulate.chart;

import java.util.Map;
import java.util.stream.Collectors;

/** The text of a policy's key, such as {@code tenant=acme}. */
final class PolicyKeys {
    private PolicyKeys() {}

    static String text(Map<String, String> key) {
        return key.isEmpty()
                ? "all requests"
                : key.entrySet().stream()
                        .map(part -> part.getKey() + "=" + part.getValue())
                        .collect(Collectors.joining(" "));
    }
}
