package io.sluice.redis;

import io.sluice.Decision;
import io.sluice.Limit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Charges on keys of one slot, decided together. */
final class JointCall extends Call<JointCall.Answer> {
    private static final long MOST = 1L << 52;

    /** In the order of the keys; no key twice. */
    final List<Ask> asks;

    /** The keys of limiters that go on by their shares; from when this is sent. */
    private Map<Ask, LocalKey> locals = Map.of();

    /** Whether the caller was denied without Redis. */
    volatile boolean toldDenied;

    /** The terms of each ask, as of the latest encoding. */
    private volatile List<Terms> terms = List.of();

    /** What was expected and is not in force, as of the latest encoding. */
    private volatile @Nullable Ask outdated;

    /**
     * Permits asked of one key.
     *
     * @param kept judged as if it asked for so many more
     * @param shadow whether it is only told
     * @param expected the limit that must be in force, if any
     * @param own the terms of the limit that it carries, if any
     */
    record Ask(
            RedisLimiter limiter,
            String key,
            long permits,
            long kept,
            boolean shadow,
            @Nullable Limit expected,
            @Nullable Terms own) {
        /** What it is judged by. */
        long judged() {
            return permits > Long.MAX_VALUE - kept ? Long.MAX_VALUE : permits + kept;
        }

        boolean locksOut() {
            return (own == null ? limiter.terms() : own).locksOut();
        }

        boolean isOutdated(Terms inForce) {
            return expected != null
                    && !(inForce.limits().size() == 1
                            && expected.equals(inForce.limits().get(0)));
        }
    }

    /**
     * @param decisions one for each ask
     * @param receipts one for each ask, if its permits are held; empty for what was not allowed
     * @param outdated the ask whose limit is not in force: nothing was decided
     */
    record Answer(
            List<Decision> decisions,
            List<byte[]> receipts,
            @Nullable Ask outdated) {
        /** Redis did not answer. */
        static final Answer MISSING = new Answer(List.of(), List.of(), null);

        boolean isMissing() {
            return decisions.isEmpty() && outdated == null;
        }
    }

    JointCall(Verb verb, List<Ask> asks, long deadline) {
        super(verb, asks.get(0).limiter(), asks.get(0).key(), asks.get(0).permits(), deadline);
        this.asks = asks;
    }

    /** Only looks, if it could not be decided under the limits that are expected. */
    @Override
    int code(Batch batch) {
        outdated = null;
        List<Terms> inForce = new ArrayList<>(asks.size());
        for (Ask ask : asks) {
            Terms known = batch.terms(ask.limiter());
            inForce.add(known);
            if (ask.isOutdated(known)) {
                outdated = ask;
            }
        }
        terms = inForce;
        return outdated == null ? verb.code : Verb.LOOK.code;
    }

    /** Whether the terms under which it was decided are those that are known now. */
    @SuppressWarnings("ReferenceEquality")
    boolean isUpToDate() {
        List<Terms> decided = terms;
        for (int i = 0; i < decided.size(); i++) {
            if (decided.get(i) != asks.get(i).limiter().terms()) {
                return false;
            }
        }
        return true;
    }

    @Override
    void encode(Bytes bytes, Batch batch) {
        for (int i = 0; i < asks.size(); i++) {
            Ask ask = asks.get(i);
            if (i > 0) {
                bytes.number(batch.number(ask.limiter(), ask.key()), 2).number(Math.min(ask.permits(), MOST), 7);
            }
            bytes.number(ask.kept(), 7).number(ask.shadow() ? 1 : 0, 1);
        }
    }

    @Override
    boolean sending(Lane lane) {
        for (Ask ask : asks) {
            if (ask.limiter().goesOnLocally()) {
                LocalKey key = ask.limiter()
                        .store()
                        .localShares
                        .sent(ask.limiter(), ask.key(), chargeable(ask), verb != Verb.DENY, lane);
                if (key == null) {
                    return false;
                } else if (locals.isEmpty()) {
                    locals = new HashMap<>();
                }
                locals.put(ask, key);
            }
        }
        return true;
    }

    private long chargeable(Ask ask) {
        return verb == Verb.ALL || verb == Verb.HOLD ? Math.min(ask.permits(), MOST) : 0;
    }

    @Override
    void settled() {
        locals.forEach((ask, key) -> key.settled(chargeable(ask)));
    }

    @Override
    void answer(Reply reply) {
        List<Decision> decisions = new ArrayList<>(asks.size());
        for (Ask ask : asks) {
            Decision decision = reply.verdict().decision();
            decisions.add(decision);
            LocalKey local = locals.get(ask);
            if (local != null) {
                local.heard(decision, ask.kept());
            }
        }
        if (outdated != null) {
            if (claim()) {
                tell(new Answer(List.of(), List.of(), outdated));
            }
            return;
        }
        List<byte[]> receipts = new ArrayList<>();
        boolean allowed = isAllowed(decisions);
        if (verb == Verb.HOLD && allowed) {
            for (int i = 0; i < asks.size(); i++) {
                receipts.add(reply.text((int) reply.number(2)));
            }
        }
        Answer answer = new Answer(decisions, receipts, null);
        if (claim()) {
            tell(answer);
        } else if (verb == Verb.HOLD) {
            giveBack(answer);
        } else if (verb == Verb.ALL && allowed) {
            for (int i = 0; i < asks.size(); i++) {
                if (decisions.get(i).allowed() && mayCount(decisions.get(i))) {
                    giveBackUnused(asks.get(i));
                }
            }
        }
    }

    /** Redis has charged for whom was told without it: who was denied, and who was charged here as well. */
    private void giveBackUnused(Ask ask) {
        LocalKey local = locals.get(ask);
        long unused = toldDenied ? ask.permits() : local == null ? 0 : local.chargedAfterAll(ask.permits());
        if (unused > 0) {
            ask.limiter().changes.refund(ask.key(), unused);
        }
    }

    /** Whether all that count were allowed. */
    boolean isAllowed() {
        return isAllowed(join().decisions());
    }

    private boolean isAllowed(List<Decision> decisions) {
        for (int i = 0; i < decisions.size(); i++) {
            if (!decisions.get(i).allowed() && !asks.get(i).shadow()) {
                return false;
            }
        }
        return true;
    }

    @Override
    void giveBack(Answer answer) {
        if (verb == Verb.ALL && !answer.isMissing() && answer.outdated() == null && isAllowed(answer.decisions())) {
            refund(answer.decisions());
        }
        for (int i = 0; i < answer.receipts().size(); i++) {
            Ask ask = asks.get(i);
            if (answer.receipts().get(i).length > 0) {
                ask.limiter()
                        .changes
                        .release(ask.key(), ask.permits(), answer.receipts().get(i));
            }
        }
    }

    /** A shadow that was not allowed has taken nothing. */
    private void refund(List<Decision> decisions) {
        for (int i = 0; i < asks.size(); i++) {
            Ask ask = asks.get(i);
            if (decisions.get(i).allowed()) {
                ask.limiter().changes.refund(ask.key(), ask.permits());
            }
        }
    }

    /** Gives back what was held and then confirmed. */
    void cancelConfirmed() {
        List<byte[]> receipts = join().receipts();
        for (int i = 0; i < receipts.size(); i++) {
            Ask ask = asks.get(i);
            if (receipts.get(i).length > 0) {
                ask.limiter().changes.cancel(ask.key(), ask.permits(), receipts.get(i));
            }
        }
    }

    /** None: who asked decides for all charges together. */
    @Override
    Answer fallback() {
        return Answer.MISSING;
    }
}
