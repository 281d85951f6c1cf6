package io.sluice.redis.connect;

import io.lettuce.core.RedisURI;

/** Parses the URI of a Redis. */
public final class RedisUris {
    private RedisUris() {}

    public static RedisURI parse(String uri) {
        try {
            return RedisURI.create(uri);
        } catch (RuntimeException e) {
            // The message does not repeat the text: it may contain a password.
            throw new IllegalArgumentException(
                    "not the URI of a Redis (expected: redis://[[user]:password@]host[:port][/database], rediss://...,"
                            + " or redis-sentinel://host[:port][,host...]#master)");
        }
    }
}
