package io.sluice.redis.call;

import io.sluice.Decisions;
import io.sluice.redis.connect.Connection;
import io.sluice.redis.connect.Stalls;
import io.sluice.redis.limits.LimitAdoption;
import io.sluice.redis.script.KeyNames;
import io.sluice.spi.EnteredCharges;
import io.sluice.spi.ReservedCharges;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Decides several charges together: all of them take their permits, or none does. */
public final class JointDecisions {
    final Connection connection;
    final LimitAdoption adoption;
    final Stalls stalls;
    final ColdStart coldStart;
    final Lanes lanes;
    final LocalShares localShares;
    private final KeyNames names;

    public JointDecisions(Connection connection, LimitAdoption adoption, Stalls stalls, CallServices services) {
        this.connection = connection;
        this.adoption = adoption;
        this.stalls = stalls;
        this.coldStart = services.coldStart();
        this.lanes = services.lanes();
        this.localShares = services.localShares();
        this.names = services.names();
    }

    /** Decides, and blocks until that is done, which is by the deadline. */
    public Decisions decide(List<KeyCharge> charges) {
        return new JointDecision(this, charges).await();
    }

    /** Decides charges that are settled later. Cancelling the stage gives the permits back. */
    public CompletionStage<ReservedCharges> reserveAsync(List<KeyCharge> charges, long ttlMicros) {
        if (charges.isEmpty()) {
            throw new IllegalArgumentException("no charges (expected: at least one)");
        }
        JointDecision decision = JointDecision.reserving(this, charges, ttlMicros);
        return decision.followedBy(decisions -> new ReservedCharges(decisions, decision.reservationId(decisions)));
    }

    /**
     * Settles a reservation.
     *
     * @param charges those of the id, in order; null where the limiter does not exist any more
     */
    public CompletionStage<List<Settlement.Settled>> settleAsync(
            ReservationId id, List<@Nullable KeyCharge> charges, long actual) {
        return new Settlement(this, id, charges, actual).settle();
    }

    /** Decides charges that hold permits of concurrency limits. Cancelling the stage gives everything back. */
    public CompletionStage<EnteredCharges> enterAsync(List<KeyCharge> charges) {
        JointDecision decision = JointDecision.entering(this, charges);
        return decision.followedBy(decision::entered);
    }

    /** Gives back the holds of a text. Those of limiters that do not exist any more are left out. */
    public CompletionStage<Void> releaseAsync(List<NamedHolds.OnLimiter> holds) {
        return NamedHolds.of(this, holds).release();
    }

    /** Renews the holds of a text, all or none. */
    public CompletionStage<Void> renewAsync(List<NamedHolds.OnLimiter> holds) {
        return NamedHolds.of(this, holds).renew();
    }

    /** The name of a reserved key in Redis, whose limiter may not exist any more. */
    byte[] keyName(ReservationId.Reserved charge) {
        byte[] prefix =
                charge.calls() ? names.callKeyPrefix(charge.limiter()) : names.keyPrefixOfShort(charge.limiter());
        return names.key(prefix, charge.key());
    }

    /** Decides. Cancelling the stage gives the permits back. */
    public CompletionStage<Decisions> decideAsync(List<KeyCharge> charges) {
        return new JointDecision(this, charges).decide();
    }
}
