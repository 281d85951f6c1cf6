package io.sluice.redis.script;

/** Numbers in the stored state of a key and in the limits that are sent; {@code state.lua} and {@code terms.lua} describe both. */
public enum Format implements LuaConstant {
    /** The format of a key whose header has no further fields. */
    FORMAT(1),
    /** The format of a key whose header says which further fields follow. */
    FORMAT_MORE(2),
    /** Further field: a block of the key has a pause. */
    WITH_PAUSE(1),
    /** Further field: the limit that came with a request is stored with the key. */
    OWN_LIMIT(2),
    /** Further field: a block has an algorithm or a field that the first releases cannot read. */
    NEWER_BLOCK(4),
    /** Further field: a block has holds, which releases before concurrency limits cannot read. */
    WITH_HOLDS(8),
    /** How a hold is renewed: all keys of the request, or none. */
    RENEW_ALL(0),
    /** How a hold is renewed: not at all, the request only looks whether all keys hold it. */
    RENEW_LOOK(1),
    /** Flag of a charge: it never denies the others. */
    SHADOW(1),
    /** Flag of a charge: it is taken whatever is decided. */
    TAKE_ALWAYS(2),
    /** Flag of a charge: it is taken first, and then judged as one for 0 permits. */
    TAKE_FIRST(4),
    /** Flag of a charge: it is taken if the request is allowed, whatever its own limit says. */
    TAKE_WITH(8),
    /** The record of a reservation that is not settled. */
    RESERVED(1),
    /** The mark of a reservation whose charges on other slots are being settled. */
    BEING_SETTLED(2),
    /** How a record is settled: all charges are on its slot. */
    SETTLE_ALL(0),
    /** How a record is settled: others are on other slots, and follow. */
    SETTLE_FIRST(1),
    /** How a record is settled: all others are settled. */
    SETTLE_LAST(2),
    /** The version of limits that come with requests. Limits of a limiter have versions from 1. */
    CALL_LIMIT_VERSION(0),
    /** Added to the number of a limit's predecessor if both are the same limit. */
    SAME_LIMIT(128),
    /** A log or a counter with more entries keeps them in a key of their own, the spill. */
    INLINE(128);

    private final int code;

    Format(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }
}
