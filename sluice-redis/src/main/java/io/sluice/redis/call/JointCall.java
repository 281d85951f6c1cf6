package io.sluice.redis.call;

import io.sluice.Decision;
import io.sluice.redis.limits.VersionedLimits;
import io.sluice.redis.local.LocalHolds;
import io.sluice.redis.local.LocalKey;
import io.sluice.redis.script.Bytes;
import io.sluice.redis.script.Format;
import io.sluice.redis.script.Reply;
import io.sluice.redis.script.Verb;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Asks Redis to decide several charges on keys of one slot together. */
final class JointCall extends Call<JointCall.Result> {
    private static final long MOST = 1L << 52;

    private final List<KeyCharge> charges;

    /** Where the script keeps what it takes, to be settled later; null if it keeps nothing. */
    private final @Nullable ReservationRecord record;

    /** What the charges hold if they are allowed; null if they hold nothing. */
    private final @Nullable Entering entering;

    /** The accounts of keys whose limiters have a local share; set when the call is sent. */
    private Map<KeyCharge, LocalKey> locals = Map.of();

    /** Whether the caller was denied without Redis. */
    volatile boolean deniedWithoutRedis;

    /** When it was sent, on the clock of {@link Holds}. */
    private volatile long since;

    /** The limits of each charge, as of the latest encoding. */
    private volatile List<VersionedLimits> versions = List.of();

    /** A charge whose expected limit is not in force, as of the latest encoding; null if there is none. */
    private volatile @Nullable KeyCharge outdated;

    /**
     * The answer to the charges.
     *
     * @param decisions one for each charge
     * @param receipts one for each charge, if its permits are held; empty for a charge that was not allowed
     * @param outdated a charge whose expected limit is not in force; then nothing was decided
     */
    record Result(
            List<Decision> decisions,
            List<byte[]> receipts,
            @Nullable KeyCharge outdated) {
        /** There is no answer from Redis. */
        static final Result MISSING = new Result(List.of(), List.of(), null);

        boolean isMissing() {
            return decisions.isEmpty() && outdated == null;
        }
    }

    /** @param entering what the charges hold if they are allowed; null if they hold nothing */
    JointCall(Verb verb, List<KeyCharge> charges, @Nullable Entering entering, long deadline) {
        this(verb, charges, null, entering, deadline);
    }

    /** A call that keeps what it takes until it is settled. */
    JointCall(List<KeyCharge> charges, ReservationRecord record, long deadline) {
        this(Verb.KEEP, charges, record, null, deadline);
    }

    private JointCall(
            Verb verb,
            List<KeyCharge> charges,
            @Nullable ReservationRecord record,
            @Nullable Entering entering,
            long deadline) {
        super(
                verb,
                charges.get(0).limiter(),
                charges.get(0).key(),
                charges.get(0).permits(),
                deadline);
        this.charges = charges;
        this.record = record;
        this.entering = entering;
    }

    @Override
    List<KeyCharge> charges() {
        return charges;
    }

    @Override
    @Nullable
    Entering entering() {
        return entering;
    }

    /** The holds of a charge by the limits under which it was decided. */
    List<Hold> holds(KeyCharge charge) {
        if (entering == null) {
            return List.of();
        }
        VersionedLimits limits = charge.callLimit();
        if (limits == null) {
            int index = charges.indexOf(charge);
            List<VersionedLimits> decided = versions;
            limits = index < decided.size()
                    ? decided.get(index)
                    : charge.limiter().versions();
        }
        return entering.holds(charge, limits);
    }

    /** The call only looks if an expected limit is not in force. */
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

    /** Whether the limits under which it was decided are those that this process knows now. */
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
        since = limiter.holds().micros();
        for (int i = 0; i < charges.size(); i++) {
            KeyCharge charge = charges.get(i);
            if (i > 0) {
                bytes.number(batch.number(charge.limiter(), charge.key()), 2)
                        .number(Math.min(charge.permits(), MOST), 7);
            }
            bytes.number(charge.kept(), 7).number(flags(charge), 1);
        }
        if (record != null && outdated == null) {
            record.encodeToKeep(bytes, batch);
        }
    }

    private static int flags(KeyCharge charge) {
        int shadow = charge.shadow() ? Format.SHADOW.code() : 0;
        return switch (charge.taking()) {
            case IF_ADMITTED -> shadow;
            case ALWAYS -> shadow + Format.TAKE_ALWAYS.code();
            case FIRST -> shadow + Format.TAKE_FIRST.code();
            case WITH_REQUEST -> shadow + Format.TAKE_WITH.code();
        };
    }

    @Override
    boolean sending(Lane lane, LocalShares localShares) {
        for (KeyCharge charge : charges) {
            if (entering != null && charge.limiter().hasLocalHolds()) {
                charge.limiter().holds().readmit(charge.limiter(), charge.key(), lane);
            }
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
        boolean takes =
                verb == Verb.ALL || verb == Verb.HOLD || verb == Verb.KEEP || (verb == Verb.DENY && charge.always());
        return takes ? Math.min(charge.permits(), MOST) : 0;
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
                local.decided(decision, charge.kept());
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
            if (entering != null && allowed && verb != Verb.LOOK) {
                noteHolds(decisions);
            }
            deliver(answer);
        } else if (verb == Verb.HOLD) {
            giveBack(answer);
        } else if (record != null && allowed) {
            keepOnlyIfUsed();
        } else if (verb == Verb.ALL || verb == Verb.DENY) {
            for (int i = 0; i < charges.size(); i++) {
                boolean taken = verb == Verb.ALL && allowed && decisions.get(i).allowed();
                if ((taken || charges.get(i).always()) && mayCount(decisions.get(i))) {
                    giveBackUnused(charges.get(i));
                }
                if (taken) {
                    leaveUnused(charges.get(i));
                }
            }
        }
    }

    private void noteHolds(List<Decision> decisions) {
        for (int i = 0; i < charges.size(); i++) {
            LimiterContext held = charges.get(i).limiter();
            if (decisions.get(i).allowed() && held.hasLocalHolds()) {
                long lapse = since + limits(i).holdMicros;
                holds(charges.get(i)).forEach(hold -> held.holds().entered(hold, lapse));
            }
        }
    }

    private VersionedLimits limits(int i) {
        VersionedLimits callLimit = charges.get(i).callLimit();
        return callLimit != null ? callLimit : versions.get(i);
    }

    /** Redis holds permits for a call that was answered without it. They stay only if the local share has given them too. */
    private void leaveUnused(KeyCharge charge) {
        for (Hold hold : holds(charge)) {
            LocalHolds mine = charge.limiter().holds().local;
            boolean local = mine.isOwed(Holds.localKey(hold), hold.id());
            if (!local || mine.readmitted(Holds.localKey(hold), hold.id(), true)) {
                charge.limiter().holds().leave(hold);
            }
        }
    }

    /** Gives back what the charges hold that were allowed. */
    void leave(List<Decision> decisions) {
        for (int i = 0; i < decisions.size(); i++) {
            if (decisions.get(i).allowed()) {
                holds(charges.get(i)).forEach(hold -> hold.limiter().holds().leave(hold));
            }
        }
    }

    @Override
    void outcomeUnknown() {
        if (verb == Verb.ALL || verb == Verb.HOLD) {
            for (KeyCharge charge : charges) {
                if (!charge.limiter().hasLocalHolds()) {
                    holds(charge).forEach(hold -> hold.limiter().holds().leaveLater(hold));
                }
            }
        }
    }

    /** Redis has kept a reservation for a call that was answered without it. It stays if the caller may settle it. */
    private void keepOnlyIfUsed() {
        boolean twice = false;
        for (KeyCharge charge : charges) {
            LocalKey local = locals.get(charge);
            twice |= local != null && local.chargedAfterAll(charge.permits()) > 0;
        }
        if (deniedWithoutRedis || twice) {
            cancelRecord();
        }
    }

    private void cancelRecord() {
        if (record != null) {
            limiter.submit(new SettleCall(charges, record, 0, Format.SETTLE_ALL));
        }
    }

    /** Redis has charged a call that was answered without it. Gives back what the caller does not use, or what is charged twice. */
    private void giveBackUnused(KeyCharge charge) {
        LocalKey local = locals.get(charge);
        // What is always taken counts, unless the local share has counted it too.
        boolean denied = deniedWithoutRedis && !charge.always();
        long unused = denied ? charge.permits() : local == null ? 0 : local.chargedAfterAll(charge.permits());
        if (unused > 0) {
            charge.limiter().changes().refund(charge.key(), unused);
        }
    }

    /** Whether all charges were allowed, apart from shadow charges. */
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
        if (record != null && !answer.isMissing() && answer.outdated() == null && isAllowed(answer.decisions())) {
            cancelRecord();
        }
        if (verb == Verb.ALL && !answer.isMissing() && answer.outdated() == null) {
            refund(answer.decisions());
        }
        boolean takes =
                verb == Verb.ALL || (verb == Verb.HOLD && !answer.receipts().isEmpty());
        if (entering != null && takes && answer.outdated() == null && isAllowed(answer.decisions())) {
            leave(answer.decisions());
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

    /** A charge that was not allowed has taken nothing, unless it is always taken. */
    private void refund(List<Decision> decisions) {
        boolean allowed = isAllowed(decisions);
        for (int i = 0; i < charges.size(); i++) {
            KeyCharge charge = charges.get(i);
            boolean counts = entering == null || limits(i).counts;
            if (counts && (charge.always() || (allowed && decisions.get(i).allowed()))) {
                charge.limiter().changes().refund(charge.key(), charge.permits());
            }
        }
    }

    /** Gives back permits that were held and then confirmed. */
    void cancelConfirmed() {
        List<byte[]> receipts = join().receipts();
        for (int i = 0; i < receipts.size(); i++) {
            KeyCharge charge = charges.get(i);
            if (receipts.get(i).length > 0) {
                charge.limiter().changes().cancel(charge.key(), charge.permits(), receipts.get(i));
            }
        }
        leave(join().decisions());
    }

    /** The {@link JointDecision} decides all charges together without Redis. */
    @Override
    Result fallback() {
        return Result.MISSING;
    }
}
