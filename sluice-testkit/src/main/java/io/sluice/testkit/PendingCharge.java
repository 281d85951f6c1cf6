package io.sluice.testkit;

import io.sluice.Decision;
import io.sluice.spi.Taking;
import java.util.List;

/** A charge on its way to a decision: every limit judges it at creation, then it is taken or denied. */
final class PendingCharge {
    private final List<LimitModel> limitModels;
    private final List<Verdict> verdicts;
    private final String key;
    private final long permits;
    private final ModelCharge charge;
    private final long micros;

    /** The verdicts if no permits were kept for others. */
    private final List<Verdict> verdictsWithoutKept;

    /** How many permits are held of each limit of concurrency, if the request is allowed. */
    private final int entering;

    PendingCharge(ReferenceModel model, String key, long permits, long micros) {
        this(new ModelCharge(model, key, permits), permits > 0 ? 1 : 0, micros);
    }

    /** @param entering how many charges of at least one permit these are together */
    PendingCharge(ModelCharge charge, int entering, long micros) {
        this.limitModels = charge.model().limitModels();
        this.charge = charge;
        this.key = charge.key();
        this.permits = charge.asked();
        this.micros = micros;
        this.entering = entering;
        if (charge.taking() == Taking.FIRST) {
            takeByForce();
        }
        this.verdicts = judge(charge.kept());
        this.verdictsWithoutKept = judge(0);
    }

    private List<Verdict> judge(long kept) {
        return limitModels.stream()
                .map(limitModel -> limitModel.judge(key, judged(limitModel, kept), micros))
                .toList();
    }

    /** The number of permits by which a limit judges the request. */
    private long judged(LimitModel limitModel, long kept) {
        return ModelCharge.sum(limitModel.holds() ? entering : permits, kept);
    }

    boolean shadow() {
        return charge.shadow();
    }

    boolean allowed() {
        return verdicts.stream().allMatch(Verdict::allowed);
    }

    long delayMicros() {
        return verdicts.stream().mapToLong(Verdict::delayMicros).max().orElse(0);
    }

    /** Whether the permits are taken even if the request is denied. */
    boolean always() {
        return charge.taking() == Taking.ALWAYS;
    }

    /** Whether the permits are taken if the request is allowed, whatever this limit says. */
    boolean withRequest() {
        return charge.taking() == Taking.WITH_REQUEST;
    }

    void takeByForce() {
        limitModels.forEach(limitModel -> limitModel.penalize(key, charge.permits(), micros));
    }

    /** Takes the permits. They can be settled later. */
    ModelReservation take() {
        ModelReservation taken = new ModelReservation(key, permits, true, 0, entering);
        limitModels.forEach(limitModel -> limitModel.take(taken, micros));
        return taken;
    }

    ModelCharge charge() {
        return charge;
    }

    /** Starts the lockouts of the limits that denied, except those that denied only because of kept permits. */
    void deny() {
        for (int i = 0; i < limitModels.size(); i++) {
            if (!verdictsWithoutKept.get(i).allowed()) {
                limitModels.get(i).deny(key, permits, micros);
            }
        }
    }

    /** Combines the verdicts and the current states of all limits into one decision: the strictest in every field. */
    Decision report() {
        long remaining = Long.MAX_VALUE;
        long retryAfter = 0;
        long resetAfter = 0;
        long debt = 0;
        for (int i = 0; i < limitModels.size(); i++) {
            Decision one =
                    limitModels.get(i).report(key, judged(limitModels.get(i), charge.kept()), verdicts.get(i), micros);
            boolean unlimited = one.remaining() == Long.MAX_VALUE;
            remaining = Math.min(remaining, unlimited ? one.remaining() : Math.max(0, one.remaining() - charge.kept()));
            retryAfter = Math.max(retryAfter, one.retryAfterMicros());
            resetAfter = Math.max(resetAfter, one.resetAfterMicros());
            debt = Math.max(debt, one.debt());
        }
        return new Decision(allowed(), remaining, retryAfter, allowed() ? delayMicros() : 0, resetAfter, debt, false);
    }
}
