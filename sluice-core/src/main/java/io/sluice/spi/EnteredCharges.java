package io.sluice.spi;

import io.sluice.Decisions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The answer to charges that hold permits until they are released.
 *
 * @param decisions the decisions on the charges
 * @param holds names what is held, for {@link PolicyStore#releaseAsync} and {@link PolicyStore#renewAsync}: letters, digits,
 *     {@code -} and {@code _}; null if the request was denied, if no limit of concurrency was charged, or if the store did not
 *     answer
 * @param renewEvery how often to renew: a third of the shortest hold; 0 if nothing is held
 */
public record EnteredCharges(Decisions decisions, @Nullable String holds, Duration renewEvery) {
    /** Decisions by which nothing is held. */
    public static EnteredCharges withoutHolds(Decisions decisions) {
        return new EnteredCharges(decisions, null, Duration.ZERO);
    }
}
