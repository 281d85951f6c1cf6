package io.sluice.policy;

import io.sluice.Algorithm;
import io.sluice.Limit;
import io.sluice.Unlimited;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Objects;

/**
 * A share of a limit that is kept for some requests.
 *
 * @param percent the share, above 0 and at most 100
 * @param match the requests that may use the kept permits
 */
public record Reserve(BigDecimal percent, Match match) {
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    /** What is expected of the limits of a policy with a reserve, for messages. */
    public static final String POSSIBLE =
            "another algorithm, because the policy has a reserve and warm-up has no permits to keep";

    public Reserve {
        Objects.requireNonNull(match, "match");
        if (percent.signum() <= 0 || percent.compareTo(HUNDRED) > 0) {
            throw new IllegalArgumentException(
                    "share: " + percent.toPlainString() + "% (expected: above 0% and at most 100%)");
        }
    }

    /** Whether a share of a limit can be kept. A limit that warms up is either free or not: it counts no permits. */
    public static boolean isPossibleFor(Limit limit) {
        return limit.algorithm() != Algorithm.WARM_UP;
    }

    /** The number of permits of a limit that are kept, rounded up. */
    public long permitsOf(Limit limit) {
        if (limit instanceof Unlimited) {
            return 0;
        }
        return percent.multiply(BigDecimal.valueOf(limit.capacity()))
                .divide(HUNDRED, 0, RoundingMode.CEILING)
                .longValueExact();
    }
}
