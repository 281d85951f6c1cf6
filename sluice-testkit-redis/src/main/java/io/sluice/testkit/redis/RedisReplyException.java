package io.sluice.testkit.redis;

/** What a server replied to a command was an error; the message is the server's own, such as {@code NOSCRIPT ...}. */
public final class RedisReplyException extends RuntimeException {
    RedisReplyException(String message) {
        super(message);
    }
}
