package io.sluice.redis.script;

/** The outcome of a request, as the decide script writes it in the first byte of a decision, a reservation or a settlement. */
public enum Outcome implements LuaConstant {
    DENIED(0),
    ALLOWED(1),
    /** The permits are available after a delay only, and the verb {@link Verb#TRY} does not wait. This is no denial. */
    WOULD_WAIT(2),
    /** A reservation was not granted because the key is paused. */
    DENIED_BY_PAUSE(2),
    /** A reservation cannot be settled any more. */
    RESERVATION_ENDED(0),
    /** A reservation was settled. */
    SETTLED(1),
    /** The charges of a reservation on other slots are being settled. */
    SETTLING(2),
    /** Added to the outcome of a decision if the key is in debt. Then the decision has the debt in the place of the remaining permits. */
    IN_DEBT(128);

    private final int code;

    Outcome(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }
}
