package io.sluice.spi;

import io.sluice.Limit;

/**
 * Thrown if a charge expects another limit than the one in force. Nothing was decided. The caller should read the limits in
 * force and try again. It has no stack trace, because it is a normal answer.
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
