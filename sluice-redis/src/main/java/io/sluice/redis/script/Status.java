package io.sluice.redis.script;

/** The first byte of the decide script's reply. Except for {@link #DECIDED}, the script has changed nothing. */
public enum Status implements LuaConstant {
    /** The replies to the requests follow. */
    DECIDED(0),
    /** The deadline of the batch had passed when the script ran. */
    TOO_LATE(1),
    /** A key was written under a newer version of its limits than the caller knows. */
    NEWER_VERSION(2),
    /** A key was written under an older version of its limits, and the caller sent no history. */
    NEEDS_HISTORY(3),
    /** A newer release has written a key in a format that this script does not know. */
    UNKNOWN_FORMAT(4),
    /** A key needs the window of the calendar at a time for which the caller sent none. */
    NEEDS_WINDOW(5);

    private static final Status[] ALL = values();

    private final int code;

    Status(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }

    /** The status of a reply. The script has no other codes; one would count as {@link #UNKNOWN_FORMAT}. */
    public static Status of(int code) {
        return code < ALL.length ? ALL[code] : UNKNOWN_FORMAT;
    }
}
