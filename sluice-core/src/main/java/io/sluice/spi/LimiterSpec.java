package io.sluice.spi;

import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.Store;
import java.util.Objects;

/**
 * A limiter as {@link Store#enforce} wants it.
 *
 * @param name its name
 * @param options what it does without the store, and how new this is: see {@link LimiterOptions#revision()}
 * @param limit its one limit
 */
public record LimiterSpec(String name, LimiterOptions options, Limit limit) {
    public LimiterSpec {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(limit, "limit");
    }
}
