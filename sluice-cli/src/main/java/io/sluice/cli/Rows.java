package io.sluice.cli;

import org.jspecify.annotations.Nullable;

/** The rows of a trace, in the order of their times, which never fall. */
interface Rows<R extends Row> {
    /**
     * Reads what comes before the first row.
     *
     * @throws Refusal if it is not as it must be, naming the source
     */
    void begin();

    /**
     * The next row, or null after the last one.
     *
     * @throws Refusal if it is not a good row, naming source and line
     */
    @Nullable
    R next();
}
