package io.sluice.testkit;

import io.sluice.TimeSource;
import io.sluice.spi.PolicyStore;

/**
 * The contract of every store, as tests. It covers the vectors, random traces against the {@link ReferenceModel}, joint
 * decisions over several keys, limits that are put in force together, updates, limits that come with calls, waiting,
 * reservations and their settlement, permits that are held, pauses, gates, tasks, listeners, and the known mistakes of other rate limiters. To test a store, extend this class.
 *
 * <pre>{@code
 * class MyStoreTest extends StoreContract {
 *     @Override
 *     public PolicyStore newStore(TimeSource time) {
 *         return new MyStore(time);
 *     }
 * }
 * }</pre>
 */
public abstract class StoreContract
        implements VectorContract,
                DifferentialContract,
                JointDecisionContract,
                EnforceContract,
                UpdateContract,
                CallLimiterContract,
                WaitContract,
                ReserveContract,
                SettleContract,
                HoldContract,
                EnterContract,
                PauseContract,
                AcquireUpToContract,
                GateContract,
                TaskContract,
                ListenerContract,
                KnownMistakesContract,
                NewKindsContract {

    /** Creates an empty store that uses this time. */
    @Override
    public abstract PolicyStore newStore(TimeSource time);
}
