package io.sluice.server.playground;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A shape of traffic. Each is described in {@link Traffic}. */
enum Shape {
    STEADY,
    BURST,
    EDGE,
    ATTACK,
    ON_OFF,
    DIURNAL;

    /** @throws IllegalArgumentException if there is no such shape */
    static Shape of(String text) {
        return Arrays.stream(values())
                .filter(shape -> shape.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("traffic.shape: " + text + " (expected: one of "
                        + Arrays.stream(values()).map(Shape::text).collect(Collectors.joining(", ")) + ")"));
    }

    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
