package io.sluice.testkit;

import io.sluice.TimeSource;
import io.sluice.spi.PolicyStore;

/**
 * What every store promises, as tests: the vectors, random traces against the {@link ReferenceModel}, all or nothing over
 * several keys, limits that are put in force together, what is carried over by an update, limits that come with calls,
 * waiting, pauses, and the mistakes that limiters elsewhere have made. A store runs it by extending this class.
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
                TogetherContract,
                EnforceContract,
                UpdateContract,
                CallContract,
                WaitContract,
                ReserveContract,
                PauseContract,
                MistakeContract {

    /** A new, empty store that lives by this time. */
    @Override
    public abstract PolicyStore newStore(TimeSource time);
}
