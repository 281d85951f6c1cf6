package io.sluice.spi;

import io.sluice.Limit;

/**
 * A limiter has another limit than the asker took to be in force; nothing was decided. Has no stack trace: it is an
 * answer, and whoever gets it asks again with what is in force now.
 */
public final class LimitChangedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public LimitChangedException(String limiter, Limit expected) {
        super(
                "limiter \"" + limiter + "\": no longer has " + expected + " (expected: the limit in force)",
                null,
                false,
                false);
    }
}
