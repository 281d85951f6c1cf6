package io.sluice.redis.script;

import io.sluice.Decision;
import java.util.Arrays;

/** Reads the reply of the decide script. */
public final class Reply {
    /** Stands for "never" and for "no limit"; {@code EXACT} in Lua. */
    public static final long UNBOUNDED = 1L << 53;

    private static final int DENIED = Outcome.DENIED.code();
    private static final int ALLOWED = Outcome.ALLOWED.code();
    private static final int WOULD_WAIT = Outcome.WOULD_WAIT.code();
    private static final int IN_DEBT = Outcome.IN_DEBT.code();

    private final byte[] bytes;
    private int position;

    public Reply(byte[] bytes) {
        this.bytes = bytes;
    }

    public long number(int width) {
        long value = 0;
        for (int i = 0; i < width; i++) {
            value = (value << 8) | (bytes[position++] & 0xff);
        }
        return value;
    }

    /** When the script ran, in microseconds of the clock of Redis. It stands after the status. */
    public long micros() {
        return new Reply(Arrays.copyOfRange(bytes, 1, 8)).number(7);
    }

    public byte[] text(int length) {
        position += length;
        if (position > bytes.length) {
            throw new IndexOutOfBoundsException(position);
        }
        return Arrays.copyOfRange(bytes, position - length, position);
    }

    public boolean isAtEnd() {
        return position == bytes.length;
    }

    /** Reads the decision on one request. */
    public Verdict verdict() {
        int code = (int) number(1);
        boolean inDebt = code >= IN_DEBT;
        int outcome = inDebt ? code - IN_DEBT : code;
        long remaining = number(7);
        long retryAfter = number(7);
        long delay = number(7);
        long resetAfter = number(7);
        Decision decision = new Decision(
                outcome == ALLOWED,
                inDebt ? 0 : remaining >= UNBOUNDED ? Long.MAX_VALUE : remaining,
                retryAfter >= UNBOUNDED ? Decision.NEVER : outcome == WOULD_WAIT ? delay : retryAfter,
                outcome == ALLOWED ? delay : 0,
                resetAfter,
                inDebt ? remaining : 0,
                false);
        return new Verdict(decision, outcome == DENIED);
    }

    /** Reads the decision on a repeated request that was allowed as well; {@code main.lua} describes the short form. */
    public Verdict next(Verdict before, long permits) {
        long delay = number(7);
        return new Verdict(Decision.allowed(before.decision().remaining() - permits, delay, number(7)), false);
    }

    /** Reads a wait in microseconds. */
    public long waitMicros(int width) {
        long value = number(width);
        return value >= UNBOUNDED ? Decision.NEVER : value;
    }

    /**
     * The decision on one request.
     *
     * @param denial whether a limit denied it; false also if the request would only have to wait
     */
    public record Verdict(Decision decision, boolean denial) {}
}
