package io.sluice.redis.script;

/** The operation that a request asks for. {@code main.lua} describes the arguments and the reply of each verb. */
public enum Verb implements LuaConstant {
    CHECK(1),
    TRY(2),
    PEEK(3),
    RESERVE(4),
    REFUND(5),
    PENALIZE(6),
    RESET(7),
    CANCEL(8),
    ALL(9),
    LOOK(10),
    HOLD(11),
    DENY(12),
    CONFIRM(13),
    RELEASE(14),
    PAUSE(15),
    PAUSED(16),
    BRING(17),
    OWE(20),
    UP_TO(21),
    UNDO(22),
    KEEP(23),
    RECORD(24),
    SETTLE(25),
    ENTER(26),
    TRY_ENTER(27),
    LEAVE(28),
    READMIT(29),
    RENEW(30),
    HOLDER(31);

    private final int code;

    Verb(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }

    /** Whether this verb asks for permits that are used at once, for all of them or none. */
    public boolean isCheck() {
        return this == CHECK || this == TRY;
    }

    /** Whether this verb asks for a permit to hold. */
    public boolean isEnter() {
        return this == ENTER || this == TRY_ENTER;
    }

    /** Whether equal requests of this kind are merged into one. */
    public boolean isMerged() {
        return isCheck() || this == UP_TO || namesHolds();
    }

    /** Whether requests of this kind have the id of a hold each. */
    public boolean namesHolds() {
        return isEnter() || this == LEAVE || this == READMIT;
    }

    /** Whether this verb takes permits for its caller, if they can be had. */
    public boolean takes() {
        return isCheck() || isEnter() || this == UP_TO || this == RESERVE;
    }
}
