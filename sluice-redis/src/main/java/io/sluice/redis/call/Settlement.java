package io.sluice.redis.call;

import io.sluice.Decision;
import io.sluice.ReservationEndedException;
import io.sluice.StoreUnavailableException;
import io.sluice.redis.connect.Link;
import io.sluice.redis.script.Format;
import io.sluice.redis.script.Outcome;
import java.util.ArrayList;
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
 * next one that is asked to settle finishes with the remembered number.
 */
/** Settles a reservation: at most once, whichever process is asked. */
public final class Settlement {
    private final JointDecisions parts;
    private final ReservationId id;
    private final List<@Nullable KeyCharge> charges;
    private final long actual;
    /** What was reserved, if this process has settled it. */
    private volatile long estimate;

    private final Map<KeyCharge, Decision> decisions = new LinkedHashMap<>();

    /** @param charges those of the id, in order; null where the limiter does not exist any more */
    Settlement(JointDecisions parts, ReservationId id, List<@Nullable KeyCharge> charges, long actual) {
        this.parts = parts;
        this.id = id;
        this.charges = charges;
        this.actual = actual;
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
     * The answer.
     *
     * @param decisions on 0 permits of each charge that is not null, right after
     * @param more the permits that were charged by force
     */
    public record Settled(List<Decision> decisions, long more) {}

    /** The decision on 0 permits of each charge that is not null, right after. */
    CompletionStage<Settled> settle() {
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
                .thenCompose(result -> settled(result, first, others))
                .thenApply(unused -> new Settled(inOrder(), Math.max(0, actual - estimate)));
    }

    /** The slots of the charges, in order. A slot with removed policies only is left out: nothing there is decided any more. */
    private List<Slot> slots(Link link) {
        Map<Integer, Slot> bySlot = new LinkedHashMap<>();
        for (int i = 0; i < charges.size(); i++) {
            byte[] name = parts.keyName(id.charges().get(i));
            bySlot.computeIfAbsent(link.slotOf(name), unused -> new Slot(id.record(name, 0)))
                    .charges
                    .add(charges.get(i));
        }
        return bySlot.values().stream().filter(Slot::isKnown).toList();
    }

    private CompletionStage<?> settled(SettleCall.Result result, Slot first, List<Slot> others) {
        if (result.outcome() == null) {
            return CompletableFuture.failedFuture(unavailable());
        } else if (result.outcome() == Outcome.RESERVATION_ENDED) {
            return CompletableFuture.failedFuture(ended());
        }
        if (result.outcome() == Outcome.SETTLED) {
            estimate = result.permits();
        }
        boolean again = result.outcome() == Outcome.SETTLING;
        long used = again ? result.permits() : actual;
        return others(others, used)
                .thenCompose(unused -> others.isEmpty()
                        ? CompletableFuture.completedFuture(null)
                        // All slots are settled. If the last call has no answer, the mark stays until its time is over.
                        : call(first, used, Format.SETTLE_LAST)
                                .thenCompose(last -> again ? finished(used) : CompletableFuture.completedFuture(null)));
    }

    /** Another process had begun, and this one has finished. */
    private CompletionStage<?> finished(long used) {
        return used == actual ? CompletableFuture.completedFuture(null) : CompletableFuture.failedFuture(ended());
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
            synchronized (decisions) {
                for (int i = 0; i < result.decisions().size(); i++) {
                    decisions.put(call.charges().get(i), result.decisions().get(i));
                }
            }
            return result;
        });
    }

    /** What was settled by another process has no decision here. */
    private List<Decision> inOrder() {
        synchronized (decisions) {
            return charges.stream()
                    .filter(Objects::nonNull)
                    .map(charge -> decisions.getOrDefault(charge, Decision.UNLIMITED))
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
