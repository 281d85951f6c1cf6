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
 * It must be done once. What Redis has not done, it owes still. Whether something was done that has no answer, only a late
 * answer can say; until then, the key owes it neither more nor less, and is decided here.
 */
/** Charges Redis by force with what was used without it. Says whether Redis heard of it. */
final class LocalCharge extends Call<Boolean> {
    /** After this, no answer is expected any more. */
    private static final long HOPELESS_NANOS = 60_000_000_000L;

    private enum State {
        /** Nothing was done. */
        QUEUED,
        /** It may have been done. */
        SENT,
        /** It may have been done, and nobody will say. */
        UNKNOWN,
        /** The key knows. */
        KNOWN
    }

    private final LocalKey debtor;
    private final Owed owed;

    /** Guarded by the key's lock, as all here. */
    private State state = State.QUEUED;

    private boolean doubted;

    /** What Redis has charged once more than it should, and is to be given back. */
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
            // If there are other limits now, each carries what was used, as by an update.
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

    /** Nobody waits for it. */
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

    /** The connection on which an answer could come is gone, or it has been too long. */
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

    /** @param after what Redis said then; null if nobody knows, and it is counted here as if it was done */
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
