package io.sluice.redis.call;

import io.sluice.Decision;
import io.sluice.redis.limits.VersionedLimits;
import io.sluice.redis.local.LocalKey;
import io.sluice.redis.script.Bytes;
import io.sluice.redis.script.Reply;
import io.sluice.redis.script.Verb;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Charges on keys of one slot, decided together. */
final class JointCall extends Call<JointCall.Result> {
    private static final long MOST = 1L << 52;

    /** In the order of the keys; no key twice. */
    final List<KeyCharge> charges;

    /** The keys of limiters that go on by their shares; from when this is sent. */
    private Map<KeyCharge, LocalKey> locals = Map.of();

    /** Whether the caller was denied without Redis. */
    volatile boolean deniedWithoutRedis;

    /** The terms of each ask, as of the latest encoding. */
    private volatile List<VersionedLimits> versions = List.of();

    /** What was expected and is not in force, as of the latest encoding. */
    private volatile @Nullable KeyCharge outdated;

    /**
     * @param decisions one for each ask
     * @param receipts one for each ask, if its permits are held; empty for what was not allowed
     * @param outdated the ask whose limit is not in force: nothing was decided
     */
    record Result(
            List<Decision> decisions,
            List<byte[]> receipts,
            @Nullable KeyCharge outdated) {
        /** Redis did not answer. */
        static final Result MISSING = new Result(List.of(), List.of(), null);

        boolean isMissing() {
            return decisions.isEmpty() && outdated == null;
        }
    }

    JointCall(Verb verb, List<KeyCharge> charges, long deadline) {
        super(
                verb,
                charges.get(0).limiter(),
                charges.get(0).key(),
                charges.get(0).permits(),
                deadline);
        this.charges = charges;
    }

    /** Only looks, if it could not be decided under the limits that are expected. */
    @Override
    int code(Batch batch) {
        outdated = null;
        List<VersionedLimits> inForce = new ArrayList<>(charges.size());
        for (KeyCharge charge : charges) {
            VersionedLimits known = batch.versions(charge.limiter());
            inForce.add(known);
            if (charge.isOutdated(known)) {
                outdated = charge;
            }
        }
        versions = inForce;
        return outdated == null ? verb.code() : Verb.LOOK.code();
    }

    /** Whether the terms under which it was decided are those that are known now. */
    @SuppressWarnings("ReferenceEquality")
    boolean isUpToDate() {
        List<VersionedLimits> decided = versions;
        for (int i = 0; i < decided.size(); i++) {
            if (decided.get(i) != charges.get(i).limiter().versions()) {
                return false;
            }
        }
        return true;
    }

    @Override
    void encode(Bytes bytes, Batch batch) {
        for (int i = 0; i < charges.size(); i++) {
            KeyCharge charge = charges.get(i);
            if (i > 0) {
                bytes.number(batch.number(charge.limiter(), charge.key()), 2)
                        .number(Math.min(charge.permits(), MOST), 7);
            }
            bytes.number(charge.kept(), 7).number(charge.shadow() ? 1 : 0, 1);
        }
    }

    @Override
    boolean sending(Lane lane, LocalShares localShares) {
        for (KeyCharge charge : charges) {
            if (charge.limiter().hasLocalShare()) {
                LocalKey key =
                        localShares.sent(charge.limiter(), charge.key(), chargeable(charge), verb != Verb.DENY, lane);
                if (key == null) {
                    return false;
                } else if (locals.isEmpty()) {
                    locals = new HashMap<>();
                }
                locals.put(charge, key);
            }
        }
        return true;
    }

    private long chargeable(KeyCharge charge) {
        return verb == Verb.ALL || verb == Verb.HOLD ? Math.min(charge.permits(), MOST) : 0;
    }

    @Override
    void settled() {
        locals.forEach((charge, key) -> key.settled(chargeable(charge)));
    }

    @Override
    void answer(Reply reply) {
        List<Decision> decisions = new ArrayList<>(charges.size());
        for (KeyCharge charge : charges) {
            Decision decision = reply.verdict().decision();
            decisions.add(decision);
            LocalKey local = locals.get(charge);
            if (local != null) {
                local.heard(decision, charge.kept());
            }
        }
        if (outdated != null) {
            if (claim()) {
                deliver(new Result(List.of(), List.of(), outdated));
            }
            return;
        }
        List<byte[]> receipts = new ArrayList<>();
        boolean allowed = isAllowed(decisions);
        if (verb == Verb.HOLD && allowed) {
            for (int i = 0; i < charges.size(); i++) {
                receipts.add(reply.text((int) reply.number(2)));
            }
        }
        Result answer = new Result(decisions, receipts, null);
        if (claim()) {
            deliver(answer);
        } else if (verb == Verb.HOLD) {
            giveBack(answer);
        } else if (verb == Verb.ALL && allowed) {
            for (int i = 0; i < charges.size(); i++) {
                if (decisions.get(i).allowed() && mayCount(decisions.get(i))) {
                    giveBackUnused(charges.get(i));
                }
            }
        }
    }

    /** Redis has charged for whom was told without it: who was denied, and who was charged here as well. */
    private void giveBackUnused(KeyCharge charge) {
        LocalKey local = locals.get(charge);
        long unused =
                deniedWithoutRedis ? charge.permits() : local == null ? 0 : local.chargedAfterAll(charge.permits());
        if (unused > 0) {
            charge.limiter().changes().refund(charge.key(), unused);
        }
    }

    /** Whether all that count were allowed. */
    boolean isAllowed() {
        return isAllowed(join().decisions());
    }

    private boolean isAllowed(List<Decision> decisions) {
        for (int i = 0; i < decisions.size(); i++) {
            if (!decisions.get(i).allowed() && !charges.get(i).shadow()) {
                return false;
            }
        }
        return true;
    }

    @Override
    void giveBack(Result answer) {
        if (verb == Verb.ALL && !answer.isMissing() && answer.outdated() == null && isAllowed(answer.decisions())) {
            refund(answer.decisions());
        }
        for (int i = 0; i < answer.receipts().size(); i++) {
            KeyCharge charge = charges.get(i);
            if (answer.receipts().get(i).length > 0) {
                charge.limiter()
                        .changes()
                        .release(
                                charge.key(),
                                charge.permits(),
                                answer.receipts().get(i));
            }
        }
    }

    /** A shadow that was not allowed has taken nothing. */
    private void refund(List<Decision> decisions) {
        for (int i = 0; i < charges.size(); i++) {
            KeyCharge charge = charges.get(i);
            if (decisions.get(i).allowed()) {
                charge.limiter().changes().refund(charge.key(), charge.permits());
            }
        }
    }

    /** Gives back what was held and then confirmed. */
    void cancelConfirmed() {
        List<byte[]> receipts = join().receipts();
        for (int i = 0; i < receipts.size(); i++) {
            KeyCharge charge = charges.get(i);
            if (receipts.get(i).length > 0) {
                charge.limiter().changes().cancel(charge.key(), charge.permits(), receipts.get(i));
            }
        }
    }

    /** None: who asked decides for all charges together. */
    @Override
    Result fallback() {
        return Result.MISSING;
    }
}
