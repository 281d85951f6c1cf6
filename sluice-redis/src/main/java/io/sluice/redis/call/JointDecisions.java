package io.sluice.redis.call;

import io.sluice.Decisions;
import io.sluice.redis.connect.Connection;
import io.sluice.redis.connect.Stalls;
import io.sluice.redis.limits.LimitAdoption;
import io.sluice.redis.script.KeyNames;
import io.sluice.spi.ReservedCharges;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
        CompletableFuture<Decisions> decided = decision.decide().toCompletableFuture();
        CompletableFuture<ReservedCharges> reserved = new CompletableFuture<>();
        reserved.whenComplete((value, failure) -> {
            if (failure != null) {
                decided.cancel(false);
            }
        });
        decided.whenComplete((decisions, failure) -> {
            if (failure != null) {
                reserved.completeExceptionally(failure);
            } else if (!reserved.complete(new ReservedCharges(decisions, decision.reservationId(decisions)))) {
                // The caller has cancelled the stage at the same moment.
                decision.undo();
            }
        });
        return reserved;
    }

    /**
     * Settles a reservation.
     *
     * @param charges those of the id, in order; null where the limiter does not exist any more
     */
    public CompletionStage<Settlement.Settled> settleAsync(
            ReservationId id, List<@Nullable KeyCharge> charges, long actual) {
        return new Settlement(this, id, charges, actual).settle();
    }

    /** The name of a reserved key in Redis. */
    byte[] keyName(ReservationId.Reserved charge) {
        byte[] prefix = charge.calls() ? names.callKeyPrefix(charge.limiter()) : names.keyPrefix(charge.limiter());
        return names.key(prefix, charge.key());
    }

    /** Decides. Cancelling the stage gives the permits back. */
    public CompletionStage<Decisions> decideAsync(List<KeyCharge> charges) {
        return new JointDecision(this, charges).decide();
    }
}
