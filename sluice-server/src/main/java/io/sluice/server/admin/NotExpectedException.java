package io.sluice.server.admin;

import io.sluice.spi.Edition;

/** Other policies are in force than those that a change was meant to replace; nothing was changed. */
final class NotExpectedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String tag;

    NotExpectedException(Edition latest) {
        super("edition " + latest.number() + " is the latest (expected: If-Match with its ETag)", null, false, false);
        this.tag = EntityTag.of(latest.text());
    }

    /** The {@code ETag} of the edition that is the latest. */
    String tag() {
        return tag;
    }
}
