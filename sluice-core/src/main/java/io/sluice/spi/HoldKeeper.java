package io.sluice.spi;

import io.sluice.TimeSource;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/*
 * Most permits are closed long before they must be renewed, so adding and removing one must be cheap. All permits of one pace
 * are renewed after the same time, so a list in the order of arrival is in the order of the renewals too. Each list has at most
 * one timer, for its first permit. There are several lists for each pace, so that threads rarely meet.
 */
/**
 * Renews held permits in the background, until they are stopped or nobody refers to them any more. It refers to permits weakly: a
 * permit that the program has lost is not renewed, so it lapses. Thread-safe.
 */
public final class HoldKeeper {
    /** A permit that must be renewed. Stores implement it. */
    @FunctionalInterface
    public interface Renewable {
        /**
         * Renews the permit, or begins to. Called on the timer thread, so it must neither block nor throw.
         *
         * @return after how many microseconds it must be renewed again; 0 if never
         */
        long renew();
    }

    private static final int STRIPES =
            Integer.highestOneBit(2 * Runtime.getRuntime().availableProcessors() - 1);

    private final TimeSource time;
    private final ConcurrentHashMap<Long, Pace> paces = new ConcurrentHashMap<>();

    /** @param time the clock by which permits are renewed */
    public HoldKeeper(TimeSource time) {
        this.time = time;
    }

    /** The pace at which permits are renewed every so many microseconds. Keep it: finding it takes longer than using it. */
    public Pace every(long micros) {
        return paces.computeIfAbsent(Math.max(1, micros), Pace::new);
    }

    /** The permits that are renewed at one pace. */
    public final class Pace {
        private final Renewals[] stripes = new Renewals[STRIPES];
        private final long micros;

        private Pace(long micros) {
            this.micros = micros;
            for (int i = 0; i < stripes.length; i++) {
                stripes[i] = new Renewals(micros);
            }
        }

        /** How often permits are renewed, in microseconds. */
        public long micros() {
            return micros;
        }

        /** Renews a permit from now on, for the first time after one interval. */
        public Kept keep(Renewable permit) {
            Kept kept = new Kept(permit);
            stripe().add(kept);
            return kept;
        }

        private Renewals stripe() {
            return stripes[(int) Thread.currentThread().getId() & STRIPES - 1];
        }
    }

    /** A permit that is renewed. */
    public static final class Kept extends WeakReference<Renewable> {
        private volatile boolean stopped;
        private volatile @Nullable Renewals list;

        /** The next fields are guarded by the lock of the list. */
        private long due;

        private @Nullable Kept before;
        private @Nullable Kept after;

        private Kept(Renewable permit) {
            super(permit);
        }

        /** Ends the renewals. */
        public void stop() {
            stopped = true;
            Renewals now = list;
            if (now != null) {
                now.remove(this);
            }
        }
    }

    /** Some permits of one pace, in the order in which they must be renewed. */
    private final class Renewals implements Runnable {
        private final long micros;
        private final ReentrantLock lock = new ReentrantLock();
        private @Nullable Kept first;
        private @Nullable Kept last;

        /** Whether there is a timer. */
        private boolean scheduled;

        Renewals(long micros) {
            this.micros = micros;
        }

        void add(Kept kept) {
            boolean starts = false;
            lock.lock();
            try {
                // In this order: a call of stop that does not find this list has been seen here.
                kept.list = this;
                if (!kept.stopped) {
                    kept.due = time.micros() + micros;
                    append(kept);
                    starts = !scheduled;
                    scheduled = true;
                }
            } finally {
                lock.unlock();
            }
            if (starts) {
                time.schedule(micros, this);
            }
        }

        private void append(Kept kept) {
            Kept end = last;
            kept.before = end;
            last = kept;
            if (end == null) {
                first = kept;
            } else {
                end.after = kept;
            }
        }

        void remove(Kept kept) {
            lock.lock();
            try {
                if (kept == first || kept.before != null) {
                    unlink(kept);
                }
            } finally {
                lock.unlock();
            }
        }

        private void unlink(Kept kept) {
            Kept before = kept.before;
            Kept after = kept.after;
            if (before == null) {
                first = after;
            } else {
                before.after = after;
            }
            if (after == null) {
                last = before;
            } else {
                after.before = before;
            }
            kept.before = null;
            kept.after = null;
        }

        /** Renews the permits that are due. Runs on the timer thread. */
        @Override
        public void run() {
            for (Kept kept : takeDue()) {
                long again = renew(kept);
                if (again > 0) {
                    (again == micros ? this : every(again).stripe()).add(kept);
                }
            }
            long wait = timeUntilNext();
            if (wait >= 0) {
                time.schedule(wait, this);
            }
        }

        private long renew(Kept kept) {
            Renewable permit = kept.get();
            if (permit == null || kept.stopped) {
                return 0;
            }
            try {
                return permit.renew();
            } catch (RuntimeException failed) {
                // Others must be renewed too, and perhaps the next attempt succeeds.
                return micros;
            }
        }

        /** The microseconds until the next renewal. Negative if there is none: then there is no timer. */
        private long timeUntilNext() {
            lock.lock();
            try {
                scheduled = first != null;
                // A clock that was set back does not delay a renewal.
                return first == null ? -1 : Math.max(0, Math.min(first.due - time.micros(), micros));
            } finally {
                lock.unlock();
            }
        }

        private List<Kept> takeDue() {
            List<Kept> due = new ArrayList<>();
            lock.lock();
            try {
                long now = time.micros();
                for (Kept head = first; head != null; head = first) {
                    if (head.due > now && head.due - now <= micros) {
                        break;
                    }
                    unlink(head);
                    due.add(head);
                }
            } finally {
                lock.unlock();
            }
            return due;
        }
    }
}
