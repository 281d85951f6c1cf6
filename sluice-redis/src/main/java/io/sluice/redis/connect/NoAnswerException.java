package io.sluice.redis.connect;

/** The reason why a call has no answer from Redis. Only listeners and the log see it, so it has no stack trace. */
public final class NoAnswerException extends RuntimeException {
    private NoAnswerException(String message) {
        super(message, null, false, false);
    }

    public static NoAnswerException deadlinePassed() {
        return new NoAnswerException("no answer within the deadline");
    }

    public static NoAnswerException notConnected() {
        return new NoAnswerException("not connected to Redis");
    }
}
