package io.sluice.spi;

import io.sluice.Charge;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.RateLimiter;
import io.sluice.Store;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A store for policy engines. It puts many limits in force at one moment, and publishes texts. */
public interface PolicyStore extends Store {
    /**
     * Creates limiters before {@link #enforce}. Limits in force and existing limiters do not change. {@linkplain #release
     * Release} each limiter when it is no longer needed.
     *
     * @return the limiters, in the order of the specs
     */
    List<RateLimiter> limiters(List<LimiterSpec> specs);

    /**
     * Puts limits in force, all at one moment. Missing limiters are created. Limiters with another limit are updated, and keys
     * keep their use. Limits with a higher {@linkplain LimiterOptions#revision() revision} stay in force. {@link
     * RateLimiter#limits()} returns the limits in force.
     *
     * <p>A decision sees all limits from before, or all limits from after.
     *
     * @return the limiters, in the order of the specs
     */
    List<RateLimiter> enforce(List<LimiterSpec> specs);

    /**
     * Releases limiters that {@link #limiters} returned, once for each call. Their state stays, and a limiter that is requested
     * again continues with it. A store that synchronizes limiters with other processes may stop that for released limiters.
     */
    default void release(List<RateLimiter> limiters) {}

    /**
     * The limits of some limiters of this store, as of one moment: all from before an {@link #enforce}, or all from after it.
     */
    List<List<Limit>> limits(List<RateLimiter> limiters);

    /**
     * Decides charges like {@link #decide}. If they are allowed, the store remembers what each of them took, until it is
     * {@linkplain #settleAsync settled}. Cancelling the stage gives the permits back.
     *
     * @param charges of different keys, all for the same number of permits: the estimate
     * @param ttl how long it can be settled. After that, the estimate stays charged.
     */
    CompletionStage<ReservedCharges> reserveAsync(List<Charge> charges, Duration ttl);

    /**
     * Replaces the estimate of a reservation by what was really used. If that is more, the rest is charged now, even into debt.
     * If it is less, the rest is given back as {@link io.sluice.Reservation#cancel} does. Any process on this store can do it,
     * and only the first one does.
     *
     * <p>Fails with {@link io.sluice.ReservationEndedException} if the reservation was settled before, if its time is over, or if
     * the store does not know it; with {@link IllegalArgumentException} if the text is not an id of a reservation; with {@link
     * io.sluice.StoreUnavailableException} if the store does not answer.
     *
     * @param id see {@link ReservedCharges#id()}
     * @param actual the permits that were really used
     * @param kept the permits that are kept from each charge in its {@linkplain SettledCharge#decision() decision}
     */
    CompletionStage<List<SettledCharge>> settleAsync(String id, long actual, KeptNow kept);

    /** {@link #settleAsync(String, long, KeptNow)} with the permits that were kept when the estimate was charged. */
    default CompletionStage<List<SettledCharge>> settleAsync(String id, long actual) {
        return settleAsync(id, actual, KeptNow.AS_THEN);
    }

    /**
     * Decides charges like {@link #decide}. A charge of at least one permit on a limit of {@linkplain io.sluice.Concurrency
     * concurrency} holds one permit, however many it asks for, until {@link #releaseAsync}, or until its hold is over and it was
     * not {@linkplain #renewAsync renewed}. The store does not renew it. Several such charges on the same key hold one permit each.
     * Cancelling the stage gives everything back.
     *
     * <p>All other methods that decide charges fail with {@link IllegalStateException} if such a limit is charged with permits.
     * They may look at it, with 0 permits.
     *
     * @param charges those on limits of concurrency are {@linkplain Taking taken} with the request only
     */
    CompletionStage<EnteredCharges> enterAsync(List<Charge> charges);

    /**
     * Gives back what is held. Rates that were charged together with it stay charged. Any process on this store can do it, once.
     *
     * <p>Fails with {@link io.sluice.HoldEndedException} if none of it is held any more: it has lapsed, it was released before, or
     * the key was reset. Fails with {@link IllegalArgumentException} if the text does not name holds, and with {@link
     * io.sluice.StoreUnavailableException} if the store does not answer.
     *
     * @param holds see {@link EnteredCharges#holds()}
     */
    CompletionStage<Void> releaseAsync(String holds);

    /**
     * Holds everything for another {@linkplain io.sluice.Concurrency#hold() hold} from now on.
     *
     * <p>Fails like {@link #releaseAsync}, but with {@link io.sluice.HoldEndedException} if any of it is not held any more. Then
     * nothing is renewed.
     *
     * @param holds see {@link EnteredCharges#holds()}
     */
    CompletionStage<Void> renewAsync(String holds);

    /** The publication of a name. All processes on this store share it. */
    Publication publication(String name);
}
