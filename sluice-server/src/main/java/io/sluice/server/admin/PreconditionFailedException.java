package io.sluice.server.admin;

import io.sluice.spi.Edition;

/** The policies in force are not those that the {@code If-Match} of a change expects. Nothing was changed. */
final class PreconditionFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String tag;

    PreconditionFailedException(Edition latest) {
        super("edition " + latest.number() + " is the latest (expected: If-Match with its ETag)", null, false, false);
        this.tag = PolicyETag.of(latest.text());
    }

    /** The {@code ETag} of the latest edition. */
    String tag() {
        return tag;
    }
}
