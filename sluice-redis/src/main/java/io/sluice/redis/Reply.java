package io.sluice.redis;

import io.sluice.Decision;
import java.util.Arrays;

/** Reads what the decide script answers. */
final class Reply {
    /** Stands for never, and for no limit. */
    private static final long UNBOUNDED = 1L << 53;

    private final byte[] bytes;
    private int position;

    Reply(byte[] bytes) {
        this.bytes = bytes;
    }

    long number(int width) {
        long value = 0;
        for (int i = 0; i < width; i++) {
            value = (value << 8) | (bytes[position++] & 0xff);
        }
        return value;
    }

    /** When it was decided, which stands behind the status. */
    long micros() {
        return new Reply(Arrays.copyOfRange(bytes, 1, 8)).number(7);
    }

    byte[] text(int length) {
        position += length;
        return Arrays.copyOfRange(bytes, position - length, position);
    }

    /** The permits were given, were not, or (if {@code tried}) would have to wait, which is no denial. */
    Verdict verdict() {
        int answer = (int) number(1);
        long remaining = number(7);
        long retryAfter = number(7);
        long delay = number(7);
        long resetAfter = number(7);
        Decision decision = new Decision(
                answer == 1,
                remaining >= UNBOUNDED ? Long.MAX_VALUE : remaining,
                retryAfter >= UNBOUNDED ? Decision.NEVER : retryAfter,
                answer == 1 ? delay : 0,
                resetAfter);
        return new Verdict(decision, answer == 0);
    }

    /** The verdict on the same request once more, which was allowed as well. */
    Verdict next(Verdict before, long permits) {
        long delay = number(7);
        return new Verdict(Decision.allowed(before.decision().remaining() - permits, delay, number(7)), false);
    }

    long wait(int width) {
        long value = number(width);
        return value >= UNBOUNDED ? Decision.NEVER : value;
    }

    /** @param denial whether a limit denied it */
    record Verdict(Decision decision, boolean denial) {}
}
