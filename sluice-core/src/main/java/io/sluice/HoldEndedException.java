package io.sluice;

/**
 * Held permits cannot be renewed or given back: they have lapsed, they were given back before, their key was reset, or the store
 * does not know them. Nothing was changed.
 */
public final class HoldEndedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public HoldEndedException(String message) {
        super(message);
    }
}
