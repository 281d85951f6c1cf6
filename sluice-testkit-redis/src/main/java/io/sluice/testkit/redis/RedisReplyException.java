package io.sluice.testkit.redis;

/** A server has replied with an error. The message is that of the server, such as {@code NOSCRIPT ...}. */
public final class RedisReplyException extends RuntimeException {
    RedisReplyException(String message) {
        super(message);
    }
}
