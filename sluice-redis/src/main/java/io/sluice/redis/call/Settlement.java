package io.sluice.redis.call;

import io.sluice.Decision;
import io.sluice.ReservationEndedException;
import io.sluice.StoreUnavailableException;
import io.sluice.redis.connect.Link;
import io.sluice.redis.script.Format;
import io.sluice.redis.script.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/*
 * Each slot has a record of its own charges, which is settled at most once, in one step. If all charges are on one slot, that
 * is all. If not, two processes could settle different slots with different numbers. So the slot of the first charge decides:
 * it remembers what was really used, then the other slots are settled, then it forgets. If the process dies in between, the
 * next one that is asked to settle finishes with the remembered number. Only those that were asked for that number make it
 * forget, and the first of them has settled; so a caller that tries again after a failure succeeds, and of two callers only one.
 */
/** Settles a reservation: at most once, whichever process is asked. */
public final class Settlement {
    private final JointDecisions parts;
    private final ReservationId id;
    private final List<@Nullable KeyCharge> charges;
    private final long actual;
    private final Map<KeyCharge, Settled> settled = new HashMap<>();

    /** @param charges those of the id, in order; null where the limiter does not exist any more */
    Settlement(JointDecisions parts, ReservationId id, List<@Nullable KeyCharge> charges, long actual) {
        this.parts = parts;
        this.id = id;
        this.charges = charges;
        this.actual = Math.min(actual, SettleCall.MOST);
    }

    /** The charges of a reservation on one slot, and its record there. */
    private static final class Slot {
        final ReservationRecord record;
        final List<@Nullable KeyCharge> charges = new ArrayList<>();

        Slot(ReservationRecord record) {
            this.record = record;
        }

        boolean isKnown() {
            return charges.stream().anyMatch(Objects::nonNull);
        }
    }

    /**
     * What became of a charge.
     *
     * @param decision on 0 permits, right after
     * @param more the permits that were charged by force
     * @param less the permits of the estimate that were not used
     */
    public record Settled(Decision decision, long more, long less) {
        private static Settled elsewhere(Decision decision) {
            return new Settled(decision, 0, 0);
        }
    }

    /** What became of each charge that is not null, in order. */
    CompletionStage<List<Settled>> settle() {
        Link link = parts.connection.link();
        if (link == null) {
            parts.connection.check();
            return CompletableFuture.failedFuture(unavailable());
        }
        List<Slot> slots = slots(link);
        if (slots.isEmpty()) {
            return CompletableFuture.failedFuture(ended());
        }
        Slot first = slots.get(0);
        List<Slot> others = slots.subList(1, slots.size());
        return call(first, actual, others.isEmpty() ? Format.SETTLE_ALL : Format.SETTLE_FIRST)
                .thenCompose(result -> begun(result, first, others))
                .thenCompose(unused -> look())
                .thenApply(unused -> inOrder());
    }

    /** The slots of the charges, in order. A slot with removed policies only is left out: nothing there is decided any more. */
    private List<Slot> slots(Link link) {
        Map<Integer, Slot> bySlot = new LinkedHashMap<>();
        for (int i = 0; i < charges.size(); i++) {
            KeyCharge charge = charges.get(i);
            byte[] name = charge == null
                    ? parts.keyName(id.charges().get(i))
                    : charge.limiter().keyName(charge.key());
            bySlot.computeIfAbsent(link.slotOf(name), unused -> new Slot(id.record(name, 0)))
                    .charges
                    .add(charge);
        }
        return bySlot.values().stream().filter(Slot::isKnown).toList();
    }

    private CompletionStage<?> begun(SettleCall.Result result, Slot first, List<Slot> others) {
        if (result.outcome() == null) {
            return CompletableFuture.failedFuture(unavailable());
        } else if (result.outcome() == Outcome.RESERVATION_ENDED) {
            return CompletableFuture.failedFuture(ended());
        }
        long used = result.outcome() == Outcome.SETTLING ? result.permits() : actual;
        return others(others, used)
                .thenCompose(
                        unused -> others.isEmpty() ? CompletableFuture.completedFuture(null) : finish(first, used));
    }

    /** All slots are settled. Of those that settle with the number that was used, the one that removes the mark has won. */
    private CompletionStage<?> finish(Slot first, long used) {
        if (used != actual) {
            return CompletableFuture.failedFuture(ended());
        }
        return call(first, used, Format.SETTLE_LAST).thenCompose(last -> {
            if (last.outcome() == null) {
                return CompletableFuture.failedFuture(unavailable());
            }
            return last.outcome() == Outcome.RESERVATION_ENDED
                    ? CompletableFuture.failedFuture(ended())
                    : CompletableFuture.completedFuture(null);
        });
    }

    private CompletionStage<?> others(List<Slot> slots, long used) {
        List<CompletableFuture<SettleCall.Result>> calls = new ArrayList<>(slots.size());
        slots.forEach(slot -> calls.add(call(slot, used, Format.SETTLE_ALL)));
        return CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).thenCompose(unused -> {
            boolean missing = calls.stream().anyMatch(call -> call.join().outcome() == null);
            return missing ? CompletableFuture.failedFuture(unavailable()) : CompletableFuture.completedFuture(null);
        });
    }

    private CompletableFuture<SettleCall.Result> call(Slot slot, long used, Format how) {
        SettleCall call = new SettleCall(slot.charges, slot.record, used, how);
        parts.lanes.submit(call);
        return call.thenApply(result -> {
            synchronized (settled) {
                for (int i = 0; i < result.decisions().size(); i++) {
                    long more = result.taken().get(i) ? used - result.permits() : 0;
                    settled.put(
                            call.charges().get(i),
                            new Settled(result.decisions().get(i), Math.max(0, more), Math.max(0, -more)));
                }
            }
            return result;
        });
    }

    /** Another process may have settled some of the slots. Then the decisions on their charges are not known here. */
    private CompletionStage<?> look() {
        List<KeyCharge> unknown = new ArrayList<>();
        synchronized (settled) {
            for (KeyCharge charge : charges) {
                if (charge != null && !settled.containsKey(charge)) {
                    if (charge.limiter().takesCallLimits()) {
                        // Only the key has the limit, so nobody can ask for it here.
                        settled.put(charge, Settled.elsewhere(Decision.UNLIMITED));
                    } else {
                        unknown.add(charge);
                    }
                }
            }
        }
        return unknown.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : parts.decideAsync(unknown).thenAccept(found -> {
                    synchronized (settled) {
                        for (int i = 0; i < unknown.size(); i++) {
                            settled.put(
                                    unknown.get(i),
                                    Settled.elsewhere(found.each().get(i)));
                        }
                    }
                });
    }

    private List<Settled> inOrder() {
        synchronized (settled) {
            return charges.stream()
                    .filter(Objects::nonNull)
                    .map(settled::get)
                    .map(Objects::requireNonNull)
                    .toList();
        }
    }

    private static ReservationEndedException ended() {
        return new ReservationEndedException(
                "the reservation was settled before, its time is over, or this store never had it");
    }

    private static StoreUnavailableException unavailable() {
        return new StoreUnavailableException(
                "Redis did not answer, so the reservation may not be settled (expected: try again)", null);
    }
}
