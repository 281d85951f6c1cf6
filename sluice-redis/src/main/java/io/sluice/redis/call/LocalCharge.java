package io.sluice.redis.call;

import io.sluice.Decision;
import io.sluice.redis.connect.Link;
import io.sluice.redis.local.LocalKey;
import io.sluice.redis.local.LocalKey.Owed;
import io.sluice.redis.script.Bytes;
import io.sluice.redis.script.Reply;
import io.sluice.redis.script.Verb;
import org.jspecify.annotations.Nullable;

/*
 * Each charge must be executed once. If Redis has not executed it, the key still owes the permits. If there is no answer, only
 * a late answer can show whether Redis has executed it. Until then, the charge is in doubt, and this process decides the key by
 * its local share.
 */
/** Charges Redis with the permits that were used by the local share. Completes with whether Redis has executed it. */
final class LocalCharge extends Call<Boolean> {
    /** The longest time after the deadline in which a late answer is expected. */
    private static final long HOPELESS_NANOS = 60_000_000_000L;

    private enum State {
        /** It was not sent, or Redis has not executed it. */
        QUEUED,
        /** It was sent, and Redis may have executed it. */
        SENT,
        /** Redis may have executed it, and there will be no answer. */
        UNKNOWN,
        /** The account of the key knows the outcome. */
        KNOWN
    }

    private final LocalKey debtor;
    private final Owed owed;

    /** Guarded by the lock of the key, as all fields here. */
    private State state = State.QUEUED;

    private boolean doubted;

    /** Permits that Redis has charged twice, and that must be given back. */
    private long twice;

    private final LocalShares localShares;
    private final @Nullable Link link;

    LocalCharge(LimiterContext limiter, LocalKey debtor, Owed owed, LocalShares localShares, @Nullable Link link) {
        super(Verb.OWE, limiter, debtor.key, owed.permits());
        this.debtor = debtor;
        this.owed = owed;
        this.localShares = localShares;
        this.link = link;
    }

    @Override
    void encode(Bytes bytes, Batch batch) {
        exclusively(() -> state = State.SENT);
        int limits = batch.versions(limiter).limits().size();
        bytes.number(limits, 1);
        for (int i = 0; i < limits; i++) {
            // If the limits have changed since, each limit is charged with all permits, as after an update.
            bytes.number(limits == owed.amounts().size() ? owed.amounts().get(i) : owed.permits(), 7);
        }
    }

    @Override
    void answer(Reply reply) {
        Decision after = reply.verdict().decision();
        exclusively(() -> done(after));
        if (claim()) {
            deliver(true);
        }
    }

    @Override
    void nothingDone() {
        exclusively(() -> {
            if (state == State.SENT && isSettled()) {
                undone();
            } else if (state == State.SENT) {
                state = State.QUEUED;
            }
        });
    }

    @Override
    void outcomeUnknown() {
        exclusively(() -> {
            if (state == State.SENT && isSettled()) {
                done(null);
            } else if (state == State.SENT) {
                state = State.UNKNOWN;
            }
        });
    }

    /** No caller waits for it. */
    @Override
    void giveBack(Boolean heard) {}

    @Override
    Boolean fallback() {
        exclusively(() -> {
            switch (state) {
                case QUEUED -> undone();
                case UNKNOWN -> done(null);
                case SENT -> {
                    doubted = true;
                    debtor.doubts++;
                    localShares.doubt(this, true);
                }
                case KNOWN -> {}
            }
        });
        return false;
    }

    /** Stops waiting for an answer if its connection is closed, or if it takes too long. */
    void giveUp(@Nullable Link open) {
        if (open != link || System.nanoTime() - deadline > HOPELESS_NANOS) {
            exclusively(() -> done(null));
        }
    }

    private void undone() {
        if (known()) {
            debtor.notCharged(owed);
            localShares.owes(limiter, debtor);
        }
    }

    /** @param after the decision of Redis right after the charge; null if unknown, then it counts as executed */
    private void done(@Nullable Decision after) {
        if (known()) {
            twice = debtor.charged(owed, after);
            if (after == null) {
                twice = 0;
                limiter.events.lost(limiter.name, Verb.PENALIZE);
            }
        }
    }

    private boolean known() {
        boolean first = state != State.KNOWN;
        state = State.KNOWN;
        if (doubted) {
            doubted = false;
            debtor.doubts--;
            localShares.doubt(this, false);
        }
        return first;
    }

    private void exclusively(Runnable task) {
        long back;
        debtor.hold();
        try {
            task.run();
            back = twice;
            twice = 0;
        } finally {
            debtor.release();
        }
        if (back > 0) {
            limiter.changes().refund(key, back);
        }
    }
}
