package io.sluice.spi;

import io.sluice.Decisions;
import org.jspecify.annotations.Nullable;

/**
 * The answer to charges that are settled later.
 *
 * @param decisions the decisions on the charges
 * @param id names what was taken, for {@link PolicyStore#settleAsync}: letters, digits, {@code -} and {@code _}; null if the
 *     request was denied, or if nothing was remembered
 */
public record ReservedCharges(Decisions decisions, @Nullable String id) {}
