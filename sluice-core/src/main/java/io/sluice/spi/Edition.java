package io.sluice.spi;

import java.util.Objects;

/**
 * One version of a text that a store publishes.
 *
 * @param number counts the editions of a publication, from 1
 * @param micros when it was published, in microseconds since the Unix epoch
 * @param text what it says
 */
public record Edition(long number, long micros, String text) {
    public Edition {
        Objects.requireNonNull(text, "text");
    }
}
