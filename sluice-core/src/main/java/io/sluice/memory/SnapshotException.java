package io.sluice.memory;

import java.io.IOException;

/** What was read is no snapshot, or no whole one; nothing was restored. */
public final class SnapshotException extends IOException {
    private static final long serialVersionUID = 1;

    SnapshotException(String message) {
        super("snapshot: " + message);
    }
}
