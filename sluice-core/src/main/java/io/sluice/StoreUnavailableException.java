package io.sluice;

import org.jspecify.annotations.Nullable;

/** The store did not answer, and the operation is of no use without it. */
public class StoreUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
