package io.sluice;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A charge without the options of a policy. */
record PlainCharge(
        Chargeable limiter,
        String key,
        long permits,
        @Nullable Limit limit) implements Charge {
    PlainCharge {
        Objects.requireNonNull(limiter, "limiter");
        Objects.requireNonNull(key, "key");
        if (permits < 0) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: >= 0)");
        }
    }
}
