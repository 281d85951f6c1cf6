package io.sluice.redis.connect;

/*
 * A process may stand still for a while, because of a garbage collection or because other processes have the processors.
 * After that, calls seem late that Redis has answered long ago: the answers only wait to be read. To give these calls up
 * would blame Redis, and would let the calls through without counting them.
 *
 * The watch over deadlines runs at a known time. When it runs much later, the process stood still. A call whose deadline
 * passed since the previous run is then given up only after there was time to read the answers. Each call gets this extra
 * time once, so no caller waits for ever on a machine that is always too busy.
 */
/** Knows whether this process has just stood still: then a call that seems late may have an answer that was not read yet. */
public final class Stalls {
    /** If the watch runs so much too late, the process stood still. */
    static final long STALL_NANOS = 20_000_000;

    /** The least time to read the answers that have arrived. */
    private static final long LEAST_GRACE_NANOS = 50_000_000;

    /** The maximum time to read the answers that have arrived, and to send once more what still waited. */
    private final long grace;

    private volatile Watch watch;
    private volatile Stall last;

    /** Nothing was late at {@code from}. The next run is due at {@code due}. */
    private record Watch(long from, long due) {}

    /** The process still ran at {@code from}. It may read answers until the end of the grace. */
    private record Stall(long from, long graceEnd) {}

    /**
     * Watches calls with a deadline. A long deadline means that answers take long, so the grace after a stall is longer too.
     *
     * @param deadlineNanos how long a call may take
     */
    public Stalls(long deadlineNanos) {
        grace = Math.max(LEAST_GRACE_NANOS, deadlineNanos / 2);
        long now = System.nanoTime();
        watch = new Watch(now, now + Long.MAX_VALUE / 2);
        last = new Stall(now, now);
    }

    /** How long after a stall a call may still get its answer. */
    public long graceNanos() {
        return grace;
    }

    /** The watch over deadlines will run at {@code due}. */
    public void watch(long now, long due) {
        watch = new Watch(now, due);
    }

    /** The watch over deadlines runs now. */
    public void ran(long now) {
        if (now - watch.due() >= STALL_NANOS) {
            last = new Stall(watch.from(), now + grace);
        }
        watch(now, now + Long.MAX_VALUE / 2);
    }

    /** Whether a call must be given up now. */
    public boolean isLate(long now, long deadline) {
        return now - deadline >= 0 && !isExcused(now, deadline);
    }

    /** Whether the process stood still when a deadline passed. */
    private boolean isExcused(long now, long deadline) {
        Stall stall = last;
        Watch next = watch;
        return (now - stall.graceEnd() < 0 && deadline - stall.from() >= 0)
                || (now - next.due() >= STALL_NANOS && deadline - next.from() >= 0);
    }

    /** How long to wait before asking again whether a call is late. */
    public long rest(long now, long deadline) {
        return now - deadline < 0 ? deadline - now : grace;
    }

    /** The time until which Redis may decide a call that is sent now. */
    public long end(long now, long deadline) {
        boolean soon = now + grace - deadline >= 0;
        return soon && isExcused(now, deadline) ? now + grace : deadline;
    }
}
