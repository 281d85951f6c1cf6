package io.sluice.spi;

import io.sluice.Limit;
import io.sluice.LimiterOptions;
import java.util.Objects;

/**
 * The description of a limiter for {@link PolicyStore#enforce}.
 *
 * @param name the name of the limiter
 * @param options its behaviour without the store, and the {@linkplain LimiterOptions#revision() revision} of the limit
 * @param limit the limit
 */
public record LimiterSpec(String name, LimiterOptions options, Limit limit) {
    public LimiterSpec {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(limit, "limit");
    }
}
