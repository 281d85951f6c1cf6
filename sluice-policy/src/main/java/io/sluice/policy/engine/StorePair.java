package io.sluice.policy.engine;

import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Decisions;
import io.sluice.memory.MemoryStore;
import io.sluice.spi.EnteredCharges;
import io.sluice.spi.PolicyCharge;
import io.sluice.spi.PolicyStore;
import io.sluice.spi.ReservedCharges;
import io.sluice.spi.Taking;
import io.sluice.spi.TentativeDecision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/*
 * Policies of scope shared and policies of scope process may apply to one request. The request is charged on both
 * stores, or on none. So the memory store of this process decides first, and takes the permits.
 *
 * - If it denied, the shared store gets an additional charge that is always denied. So it takes nothing, but limits
 *   that themselves deny start their lockout.
 * - If the shared store denied, exactly the permits that were taken here are given back. Between the two, other
 *   requests of this process may be denied; that starts no lockout.
 */

/** Decides on the shared store and the memory store of this process as if they were one store. */
final class StorePair {
    private static final EnteredCharges NOT_ENTERED = EnteredCharges.withoutHolds(new Decisions(true, List.of()));

    private final PolicyStore shared;
    private final MemoryStore own;
    private final Installer installer;

    /** @param own counts for policies of scope process; may be the same object as the shared store */
    StorePair(PolicyStore shared, MemoryStore own, Installer installer) {
        this.shared = shared;
        this.own = own;
        this.installer = installer;
    }

    <T> T decide(Chargeable<T> request) {
        List<Charge> ownCharges = request.charges(false);
        if (!ownCharges.isEmpty()) {
            return join(decideOnBoth(request, ownCharges, new DecisionFuture<T>()));
        }
        List<Charge> charges = request.charges(true);
        if (charges.isEmpty()) {
            return request.decision(List.of(), List.of());
        }
        return request.decision(
                shared.decide(request.isBlocked() ? withDenied(charges, shared) : charges)
                        .each(),
                List.of());
    }

    /** @param future the future of the caller; if it is cancelled, the permits are given back */
    <T> CompletionStage<T> decideAsync(Chargeable<T> request, DecisionFuture<?> future) {
        List<Charge> ownCharges = request.charges(false);
        if (!ownCharges.isEmpty()) {
            return decideOnBoth(request, ownCharges, future);
        }
        List<Charge> charges = request.charges(true);
        return decideOnShared(charges, request.isBlocked(), future).thenApply(decisions -> {
            future.charged(() -> giveBack(charges, decisions));
            return request.decision(decisions.each(), List.of());
        });
    }

    /** Gives back the permits that the charges took. */
    private static void giveBack(List<Charge> charges, Decisions decisions) {
        for (int i = 0; i < charges.size(); i++) {
            Charge charge = charges.get(i);
            boolean taken = decisions.allowed() && decisions.each().get(i).allowed();
            if (taken || PolicyCharge.taking(charge) != Taking.IF_ADMITTED) {
                charge.limiter().refundAsync(charge.key(), charge.permits());
            }
        }
    }

    private <T> CompletionStage<T> decideOnBoth(
            Chargeable<T> request, List<Charge> ownCharges, DecisionFuture<?> future) {
        boolean blocked = request.isBlocked();
        TentativeDecision tentative;
        try {
            tentative = own.decideTentatively(blocked ? withDenied(ownCharges, own) : ownCharges);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        Decisions onOwn = tentative.decisions();
        List<Charge> sharedCharges = request.charges(true);
        return decideOnShared(sharedCharges, blocked || !onOwn.allowed(), future)
                .handle((onShared, failure) -> {
                    if (failure != null) {
                        tentative.cancel();
                        throw failure instanceof CompletionException known ? known : new CompletionException(failure);
                    }
                    if (onShared.allowed()) {
                        tentative.commit();
                        future.charged(() -> {
                            giveBack(sharedCharges, onShared);
                            giveBack(ownCharges, onOwn);
                        });
                        return request.decision(onShared.each(), onOwn.each());
                    }
                    tentative.deny();
                    return request.decision(
                            onShared.each(), onOwn.allowed() ? afterGiveBack(ownCharges, onOwn) : onOwn.each());
                });
    }

    /**
     * The answer to a request whose permits are an estimate.
     *
     * @param text names what was charged; null if it was denied, or if the shared store has kept nothing
     */
    record Reserved<T>(T decision, @Nullable ReservationText text) {}

    /** Decides a request whose permits are settled later. Both stores keep what they have taken. */
    <T> CompletionStage<Reserved<T>> reserveAsync(Chargeable<T> request, Duration ttl, DecisionFuture<?> future) {
        boolean blocked = request.isBlocked();
        List<Charge> ownCharges = request.charges(false);
        TentativeDecision tentative;
        try {
            tentative = ownCharges.isEmpty()
                    ? null
                    : own.decideTentatively(blocked ? withDenied(ownCharges, own) : ownCharges);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        Decisions onOwn = tentative == null ? new Decisions(!blocked, List.of()) : tentative.decisions();
        List<Charge> sharedCharges = request.charges(true);
        return reserveOnShared(sharedCharges, blocked || !onOwn.allowed(), ttl, future)
                .handle((onShared, failure) -> {
                    if (failure != null) {
                        if (tentative != null) {
                            tentative.cancel();
                        }
                        throw failure instanceof CompletionException known ? known : new CompletionException(failure);
                    }
                    List<Decision> sharedEach = onShared.decisions().each();
                    if (onShared.decisions().allowed()) {
                        String ownId = tentative == null ? null : tentative.keep(ttl);
                        boolean kept = onShared.id() != null || sharedCharges.isEmpty();
                        return new Reserved<>(
                                request.decision(sharedEach, onOwn.each()),
                                kept ? new ReservationText(onShared.id(), ownId) : null);
                    }
                    if (tentative != null) {
                        tentative.deny();
                    }
                    boolean gaveBack = tentative != null && onOwn.allowed();
                    return new Reserved<>(
                            request.decision(sharedEach, gaveBack ? afterGiveBack(ownCharges, onOwn) : onOwn.each()),
                            null);
                });
    }

    /**
     * The answer to a request that enters.
     *
     * @param holds names what is held; null if it was denied, or if the shared store holds nothing
     * @param renewEvery how often what is held should be renewed; zero if nothing is
     */
    record Entered<T>(T decision, @Nullable HoldsText holds, Duration renewEvery) {}

    /** Decides a request that holds permits of concurrency limits until it is released. */
    <T> CompletionStage<Entered<T>> enterAsync(Chargeable<T> request, DecisionFuture<?> future) {
        boolean blocked = request.isBlocked();
        List<Charge> ownCharges = request.charges(false);
        TentativeDecision tentative;
        try {
            tentative = ownCharges.isEmpty()
                    ? null
                    : own.enterTentatively(blocked ? withDenied(ownCharges, own) : ownCharges);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        Decisions onOwn = tentative == null ? new Decisions(!blocked, List.of()) : tentative.decisions();
        List<Charge> sharedCharges = request.charges(true);
        return enterOnShared(sharedCharges, blocked || !onOwn.allowed(), future).handle((onShared, failure) -> {
            if (failure != null) {
                if (tentative != null) {
                    tentative.cancel();
                }
                throw failure instanceof CompletionException known ? known : new CompletionException(failure);
            }
            List<Decision> sharedEach = onShared.decisions().each();
            if (onShared.decisions().allowed()) {
                if (tentative != null) {
                    tentative.commit();
                }
                EnteredCharges here = tentative == null ? NOT_ENTERED : tentative.entered();
                future.charged(() -> {
                    giveBack(sharedCharges, onShared.decisions());
                    giveBack(ownCharges, onOwn);
                    release(shared, onShared);
                    release(own, here);
                });
                return new Entered<>(
                        request.decision(sharedEach, onOwn.each()),
                        HoldsText.of(onShared.holds(), here.holds()),
                        shorter(onShared.renewEvery(), here.renewEvery()));
            }
            if (tentative != null) {
                tentative.deny();
            }
            boolean gaveBack = tentative != null && onOwn.allowed();
            return new Entered<>(
                    request.decision(sharedEach, gaveBack ? afterGiveBack(ownCharges, onOwn) : onOwn.each()),
                    null,
                    Duration.ZERO);
        });
    }

    private static void release(PolicyStore store, EnteredCharges entered) {
        String holds = entered.holds();
        if (holds != null) {
            store.releaseAsync(holds);
        }
    }

    /** The shorter of two times; zero means none. */
    private static Duration shorter(Duration a, Duration b) {
        return a.isZero() || (!b.isZero() && b.compareTo(a) < 0) ? b : a;
    }

    private CompletionStage<EnteredCharges> enterOnShared(
            List<Charge> charges, boolean denied, DecisionFuture<?> future) {
        if (charges.isEmpty()) {
            return CompletableFuture.completedFuture(EnteredCharges.withoutHolds(new Decisions(!denied, List.of())));
        }
        CompletionStage<EnteredCharges> stage = shared.enterAsync(denied ? withDenied(charges, shared) : charges);
        future.cancelTogether(stage);
        return stage;
    }

    private CompletionStage<ReservedCharges> reserveOnShared(
            List<Charge> charges, boolean denied, Duration ttl, DecisionFuture<?> future) {
        if (denied || charges.isEmpty()) {
            return decideOnShared(charges, denied, future).thenApply(decisions -> new ReservedCharges(decisions, null));
        }
        CompletionStage<ReservedCharges> stage = shared.reserveAsync(charges, ttl);
        future.cancelTogether(stage);
        return stage;
    }

    /** The same verdicts, with the remaining permits after everything was given back. */
    private List<Decision> afterGiveBack(List<Charge> ownCharges, Decisions before) {
        List<Charge> zeroCharges = ownCharges.stream()
                .<Charge>map(charge -> new PolicyCharge(
                        charge.limiter(), charge.key(), 0, charge.limit(), PolicyCharge.kept(charge), false, null))
                .toList();
        List<Decision> now = own.decide(zeroCharges).each();
        List<Decision> after = new ArrayList<>(zeroCharges.size());
        for (int i = 0; i < zeroCharges.size(); i++) {
            Decision verdict = before.each().get(i);
            after.add(new Decision(
                    verdict.allowed(),
                    now.get(i).remaining(),
                    verdict.retryAfterMicros(),
                    verdict.delayMicros(),
                    now.get(i).resetAfterMicros(),
                    now.get(i).debt(),
                    false));
        }
        return after;
    }

    private CompletionStage<Decisions> decideOnShared(List<Charge> charges, boolean denied, DecisionFuture<?> future) {
        if (charges.isEmpty()) {
            return CompletableFuture.completedFuture(new Decisions(!denied, List.of()));
        }
        CompletionStage<Decisions> stage = shared.decideAsync(denied ? withDenied(charges, shared) : charges);
        future.cancelTogether(stage);
        return stage;
    }

    /** The charges, and one that is always denied. The decision on the last charge is not used. */
    private List<Charge> withDenied(List<Charge> charges, PolicyStore store) {
        if (PolicyCharge.taking(charges.get(0)) == Taking.FIRST) {
            // Nothing can deny a charge by force.
            return charges;
        }
        List<Charge> more = new ArrayList<>(charges);
        more.add(installer.deniedCharge(store));
        return more;
    }

    static <T> T join(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }
}
