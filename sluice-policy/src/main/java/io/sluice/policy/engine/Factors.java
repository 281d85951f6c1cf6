package io.sluice.policy.engine;

import io.sluice.policy.Policy;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** What the limits of policies are multiplied by. Thread-safe. */
interface Factors {
    /** The present factor of a policy; null if its limits do not follow a signal. */
    @Nullable
    BigDecimal of(Policy policy);
}
