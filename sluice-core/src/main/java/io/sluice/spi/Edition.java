package io.sluice.spi;

import java.util.Objects;

/**
 * One published version of a text, see {@link Publication}.
 *
 * @param number the number of the edition, from 1
 * @param micros the time of the publication, in microseconds since the Unix epoch
 * @param text the published text
 */
public record Edition(long number, long micros, String text) {
    public Edition {
        Objects.requireNonNull(text, "text");
    }
}
