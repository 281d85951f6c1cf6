package io.sluice.redis.call;

import io.sluice.Decisions;
import io.sluice.redis.connect.Connection;
import io.sluice.redis.connect.Stalls;
import io.sluice.redis.limits.LimitAdoption;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Decides several charges together: all of them take their permits, or none does. */
public final class JointDecisions {
    final Connection connection;
    final LimitAdoption adoption;
    final Stalls stalls;
    final ColdStart coldStart;
    final Lanes lanes;
    final LocalShares localShares;

    public JointDecisions(Connection connection, LimitAdoption adoption, Stalls stalls, CallServices services) {
        this.connection = connection;
        this.adoption = adoption;
        this.stalls = stalls;
        this.coldStart = services.coldStart();
        this.lanes = services.lanes();
        this.localShares = services.localShares();
    }

    /** Decides, and blocks until that is done, which is by the deadline. */
    public Decisions decide(List<KeyCharge> charges) {
        return new JointDecision(this, charges).await();
    }

    /** Decides. Cancelling the stage gives the permits back. */
    public CompletionStage<Decisions> decideAsync(List<KeyCharge> charges) {
        return new JointDecision(this, charges).decide();
    }
}
