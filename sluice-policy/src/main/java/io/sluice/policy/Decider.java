package io.sluice.policy;

import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Decisions;
import io.sluice.memory.MemoryStore;
import io.sluice.spi.PolicyCharge;
import io.sluice.spi.PolicyStore;
import io.sluice.spi.TentativeDecision;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/*
 * Policies that all processes share and policies that each process has for itself may apply to one request, which is all
 * or nothing all the same. So this process's own store decides first, and takes. If it denied, the shared store is asked
 * together with a charge that is always denied: it takes nothing, but limits that themselves deny start their lockout. If
 * the shared store denied, what was taken here is given back, exactly. Meanwhile others in this process may be denied,
 * which starts no lockout.
 */
/** Decides on the shared store and on this process's own as if they were one. */
final class Decider {
    private final PolicyStore shared;
    private final MemoryStore own;
    private final Installer installer;

    /** @param own for what each process counts by itself; may be the shared one */
    Decider(PolicyStore shared, MemoryStore own, Installer installer) {
        this.shared = shared;
        this.own = own;
        this.installer = installer;
    }

    <T> T decide(Asked<T> asked) {
        List<Charge> ours = asked.charges(false);
        if (!ours.isEmpty()) {
            return join(decideBoth(asked, ours, new Told<T>()));
        }
        List<Charge> charges = asked.charges(true);
        if (charges.isEmpty()) {
            return asked.decision(List.of(), List.of());
        }
        return asked.decision(
                shared.decide(asked.isBlocked() ? denied(charges) : charges).each(), List.of());
    }

    /** @param told who hears the answer; if it does not listen any more, what was charged is given back */
    <T> CompletionStage<T> decideAsync(Asked<T> asked, Told<T> told) {
        List<Charge> ours = asked.charges(false);
        if (!ours.isEmpty()) {
            return decideBoth(asked, ours, told);
        }
        List<Charge> charges = asked.charges(true);
        return decideShared(charges, asked.isBlocked(), told).thenApply(decisions -> {
            told.charged(() -> giveBack(charges, decisions));
            return asked.decision(decisions.each(), List.of());
        });
    }

    /** Gives back what charges took. */
    private static void giveBack(List<Charge> charges, Decisions decisions) {
        for (int i = 0; decisions.allowed() && i < charges.size(); i++) {
            Charge charge = charges.get(i);
            if (decisions.each().get(i).allowed()) {
                charge.limiter().refundAsync(charge.key(), charge.permits());
            }
        }
    }

    private <T> CompletionStage<T> decideBoth(Asked<T> asked, List<Charge> ours, Told<T> told) {
        boolean blocked = asked.isBlocked();
        TentativeDecision taken;
        try {
            taken = own.decideTentatively(blocked ? deniedOnOwn(ours) : ours);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        Decisions here = taken.decisions();
        List<Charge> shared = asked.charges(true);
        return decideShared(shared, blocked || !here.allowed(), told).handle((there, failure) -> {
            if (failure != null) {
                taken.cancel();
                throw failure instanceof CompletionException known ? known : new CompletionException(failure);
            }
            if (there.allowed()) {
                taken.commit();
                told.charged(() -> {
                    giveBack(shared, there);
                    giveBack(ours, here);
                });
                return asked.decision(there.each(), here.each());
            }
            taken.cancel();
            return asked.decision(there.each(), here.allowed() ? after(ours, here) : here.each());
        });
    }

    /** The verdicts as they were, on what is there after everything was given back. */
    private List<Decision> after(List<Charge> ours, Decisions before) {
        List<Charge> looks = ours.stream()
                .<Charge>map(charge -> new PolicyCharge(
                        charge.limiter(), charge.key(), 0, charge.limit(), PolicyCharge.kept(charge), false, null))
                .toList();
        List<Decision> now = own.decide(looks).each();
        List<Decision> after = new ArrayList<>(looks.size());
        for (int i = 0; i < looks.size(); i++) {
            Decision verdict = before.each().get(i);
            after.add(new Decision(
                    verdict.allowed(),
                    now.get(i).remaining(),
                    verdict.retryAfterMicros(),
                    verdict.delayMicros(),
                    now.get(i).resetAfterMicros()));
        }
        return after;
    }

    private CompletionStage<Decisions> decideShared(List<Charge> charges, boolean denied, Told<?> told) {
        if (charges.isEmpty()) {
            return CompletableFuture.completedFuture(new Decisions(!denied, List.of()));
        }
        CompletionStage<Decisions> stage = shared.decideAsync(denied ? denied(charges) : charges);
        told.asked(stage);
        return stage;
    }

    /** The answer to the last is not wanted, and nobody asks for it. */
    private List<Charge> denied(List<Charge> charges) {
        return with(charges, shared);
    }

    private List<Charge> deniedOnOwn(List<Charge> charges) {
        return with(charges, own);
    }

    private List<Charge> with(List<Charge> charges, PolicyStore store) {
        List<Charge> more = new ArrayList<>(charges);
        more.add(installer.denied(store));
        return more;
    }

    private static <T> T join(CompletionStage<T> stage) {
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
