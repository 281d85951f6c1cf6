package io.sluice.memory.snapshot;

import java.io.IOException;

/** Thrown if an input is not a complete snapshot. Nothing was restored. */
public final class SnapshotException extends IOException {
    private static final long serialVersionUID = 1;

    SnapshotException(String message) {
        super("snapshot: " + message);
    }
}
