package io.sluice.redis.connect;

/*
 * A process that stands still for a while (garbage is collected, or others have the processors) finds calls late that
 * Redis has long answered: the answers only wait to be read. To give these calls up would blame Redis, and let them
 * through uncounted.
 *
 * The watch over deadlines runs at a known time. When it runs much later, the process stood still. A call whose deadline
 * passed since the watch ran before is then given up only after what has arrived could be read. That happens once for each
 * call, so nobody waits for ever on a machine that is always too busy.
 */
/** Whether this process has just stood still: a call that seems late may have been answered long ago. */
public final class Stalls {
    /** The watch is late by so much only if the process stood still. */
    static final long STALL_NANOS = 20_000_000;

    /** So long it takes at most to read what has arrived. */
    public static final long GRACE_NANOS = 50_000_000;

    private volatile Watch watch;
    private volatile Stall last;

    /** Nothing was late at {@code from}; the watch runs next when it is due. */
    private record Watch(long from, long due) {}

    /** The process still ran at {@code from}; what has arrived may be read until the end of the grace. */
    private record Stall(long from, long graceEnd) {}

    public Stalls() {
        long now = System.nanoTime();
        watch = new Watch(now, now + Long.MAX_VALUE / 2);
        last = new Stall(now, now);
    }

    /** The watch will run at that time. */
    public void watch(long now, long due) {
        watch = new Watch(now, due);
    }

    /** The watch runs. */
    public void ran(long now) {
        if (now - watch.due() >= STALL_NANOS) {
            last = new Stall(watch.from(), now + GRACE_NANOS);
        }
        watch(now, now + Long.MAX_VALUE / 2);
    }

    /** Whether a call is to be given up now. */
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

    /** How long to wait until a call may have to be given up. */
    public long rest(long now, long deadline) {
        return now - deadline < 0 ? deadline - now : GRACE_NANOS;
    }

    /** Until when Redis may decide what is sent now. */
    public long end(long now, long deadline) {
        boolean soon = now + GRACE_NANOS - deadline >= 0;
        return soon && isExcused(now, deadline) ? now + GRACE_NANOS : deadline;
    }
}
