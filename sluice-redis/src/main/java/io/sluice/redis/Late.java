package io.sluice.redis;

/** Why a call was given up. Only told to listeners, so it needs no stack trace. */
final class Late extends RuntimeException {
    private Late(String message) {
        super(message, null, false, false);
    }

    static Late unanswered() {
        return new Late("no answer within the deadline");
    }

    static Late disconnected() {
        return new Late("not connected to Redis");
    }
}
