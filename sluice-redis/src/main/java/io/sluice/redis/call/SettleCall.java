package io.sluice.redis.call;

import io.sluice.Decision;
import io.sluice.redis.local.LocalKey;
import io.sluice.redis.script.Bytes;
import io.sluice.redis.script.Format;
import io.sluice.redis.script.Outcome;
import io.sluice.redis.script.Reply;
import io.sluice.redis.script.Verb;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Settles the charges of a reservation on one slot: replaces the estimate by what was really used. */
final class SettleCall extends Call<SettleCall.Result> {
    /** More permits than any limit can owe. */
    static final long MOST = 1L << 52;

    /** All charges of the record, in order; null where the limiter does not exist any more. */
    private final List<@Nullable KeyCharge> recorded;

    private final List<KeyCharge> charges;
    private final ReservationRecord record;
    private final Format how;
    private Map<KeyCharge, LocalKey> locals = Map.of();

    /**
     * The answer of Redis.
     *
     * @param outcome null if there is no answer
     * @param decisions one for each charge whose limiter exists, right after it was settled
     * @param taken for each of them, whether it had taken the estimate
     * @param permits the estimate if it was settled; what was really used, if it is already being settled
     */
    record Result(@Nullable Outcome outcome, List<Decision> decisions, List<Boolean> taken, long permits) {
        static final Result MISSING = new Result(null, List.of(), List.of(), 0);
    }

    SettleCall(List<? extends @Nullable KeyCharge> recorded, ReservationRecord record, long actual, Format how) {
        this(
                recorded,
                recorded.stream()
                        .filter(Objects::nonNull)
                        .map(KeyCharge.class::cast)
                        .toList(),
                record,
                actual,
                how);
    }

    private SettleCall(
            List<? extends @Nullable KeyCharge> recorded,
            List<KeyCharge> charges,
            ReservationRecord record,
            long actual,
            Format how) {
        super(Verb.SETTLE, charges.get(0).limiter(), charges.get(0).key(), actual);
        this.recorded = new ArrayList<>(recorded);
        this.charges = charges;
        this.record = record;
        this.how = how;
    }

    @Override
    List<KeyCharge> charges() {
        return charges;
    }

    @Override
    int times(int merged) {
        return recorded.size();
    }

    @Override
    void encode(Bytes bytes, Batch batch) {
        for (KeyCharge charge : recorded) {
            bytes.number(charge == null ? 0 : batch.number(charge.limiter(), charge.key()), 2)
                    .number(charge == null ? 0 : charge.kept(), 7);
        }
        record.encodeToSettle(bytes, batch, how);
    }

    @Override
    boolean sending(Lane lane, LocalShares localShares) {
        for (KeyCharge charge : charges) {
            charge.limiter().denials.forget(charge.limiter(), charge.key());
            if (charge.limiter().hasLocalShare()) {
                LocalKey key = localShares.sent(charge.limiter(), charge.key(), 0, false, lane);
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

    @Override
    void settled() {
        locals.forEach((charge, key) -> key.settled(0));
    }

    @Override
    void answer(Reply reply) {
        int code = (int) reply.number(1);
        List<Decision> decisions = new ArrayList<>();
        List<Boolean> taken = new ArrayList<>();
        long permits = 0;
        Outcome outcome = Outcome.RESERVATION_ENDED;
        if (code == Outcome.SETTLED.code()) {
            outcome = Outcome.SETTLED;
            permits = reply.number(7);
            for (KeyCharge charge : charges) {
                taken.add(reply.number(1) == 1);
                Decision decision = reply.verdict().decision();
                decisions.add(decision);
                LocalKey local = locals.get(charge);
                if (local != null) {
                    local.decided(decision, charge.kept());
                }
                charge.limiter().denials.forget(charge.limiter(), charge.key());
                charge.limiter().changes().gaveBack(charge.key());
            }
        } else if (code == Outcome.SETTLING.code()) {
            outcome = Outcome.SETTLING;
            permits = reply.number(7);
        }
        if (claim()) {
            deliver(new Result(outcome, decisions, taken, permits));
        }
    }

    /** What was settled stays settled. */
    @Override
    void giveBack(Result answer) {}

    @Override
    Result fallback() {
        return Result.MISSING;
    }
}
