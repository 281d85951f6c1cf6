package io.sluice.redis.script;

/** The algorithm of a limit, as limits are sent to the scripts and states are stored. */
public enum LimitKind implements LuaConstant {
    /** The token bucket that is refilled continuously. */
    GREEDY(1),
    LEAKY(2),
    /** The token bucket that is refilled at the end of each period. */
    INTERVAL(3),
    /** The fixed window that is aligned to the epoch. */
    ALIGNED(4),
    /** The fixed window that begins with its first use. */
    FROM_FIRST(5),
    LOG(6),
    COUNTER(7),
    UNLIMITED(8),
    BLOCKED(9),
    /** The fixed window of the calendar. */
    CALENDAR(10),
    WARM_UP(11),
    CONCURRENCY(12);

    private final int code;

    LimitKind(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }
}
