package io.sluice.redis.call;

import io.sluice.HoldEndedException;
import io.sluice.StoreUnavailableException;
import io.sluice.redis.connect.Link;
import io.sluice.redis.script.Format;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/*
 * Keys on one slot are renewed in one step. On a cluster, all slots first look, and then renew: a hold that lapses in between
 * is found by the second step, and the others have lasted longer than they had to.
 */
/** Gives back or renews the holds that a text names. */
public final class NamedHolds {
    private final JointDecisions parts;
    private final List<Hold> holds;

    private NamedHolds(JointDecisions parts, List<Hold> holds) {
        this.parts = parts;
        this.holds = holds;
    }

    /** A limiter and a key of a text, and the number of the hold. */
    public record OnLimiter(LimiterContext limiter, String key, long id) {}

    /** @param named those whose limiter exists */
    static NamedHolds of(JointDecisions parts, List<OnLimiter> named) {
        return new NamedHolds(
                parts,
                named.stream()
                        .map(each -> new Hold(each.limiter(), each.key(), each.id()))
                        .toList());
    }

    /** Gives back what is held. */
    CompletionStage<Void> release() {
        return all(Holds.leave(holds, parts.lanes)).thenCompose(all -> {
            if (all.contains(HoldAnswer.UNKNOWN)) {
                return CompletableFuture.failedFuture(unavailable("released"));
            }
            return all.contains(HoldAnswer.DONE) ? done() : CompletableFuture.failedFuture(ended());
        });
    }

    /** Renews all holds, or none. */
    CompletionStage<Void> renew() {
        List<Hold> known = new ArrayList<>();
        for (Hold hold : holds) {
            Holds mine = hold.limiter().holds();
            if (mine.local.isOwed(Holds.localKey(hold), hold.id())) {
                mine.local.renewed(
                        Holds.localKey(hold),
                        hold.id(),
                        mine.micros() + hold.limiter().holdMicros(),
                        false);
            } else {
                known.add(hold);
            }
        }
        if (known.isEmpty()) {
            return holds.isEmpty() ? CompletableFuture.failedFuture(ended()) : done();
        }
        Link link = parts.connection.link();
        if (link == null) {
            parts.connection.check();
            return CompletableFuture.failedFuture(unavailable("renewed"));
        }
        Map<Integer, List<Hold>> bySlot = new TreeMap<>();
        for (Hold hold : known) {
            int slot = link.slotOf(hold.limiter().keyName(hold.key()));
            bySlot.computeIfAbsent(slot, unused -> new ArrayList<>()).add(hold);
        }
        Supplier<CompletionStage<Void>> renewal = () -> each(bySlot, Format.RENEW_ALL);
        return bySlot.size() == 1
                ? renewal.get()
                : each(bySlot, Format.RENEW_LOOK).thenCompose(looked -> renewal.get());
    }

    private CompletionStage<Void> each(Map<Integer, List<Hold>> bySlot, Format how) {
        List<CompletableFuture<HoldAnswer>> calls = new ArrayList<>();
        for (List<Hold> group : bySlot.values()) {
            RenewCall call = new RenewCall(group, how);
            long until = group.get(0).limiter().holds().micros();
            calls.add(call.thenApply(answer -> {
                if (answer == HoldAnswer.DONE && how == Format.RENEW_ALL) {
                    group.forEach(hold -> hold.limiter()
                            .holds()
                            .local
                            .renewed(
                                    Holds.localKey(hold),
                                    hold.id(),
                                    until + hold.limiter().holdMicros(),
                                    true));
                }
                return answer;
            }));
            parts.lanes.submit(call);
        }
        return all(calls).thenCompose(answers -> {
            if (answers.contains(HoldAnswer.UNKNOWN)) {
                return CompletableFuture.failedFuture(unavailable("renewed"));
            }
            return answers.contains(HoldAnswer.ENDED) ? CompletableFuture.failedFuture(ended()) : done();
        });
    }

    private static CompletableFuture<List<HoldAnswer>> all(List<CompletableFuture<HoldAnswer>> answers) {
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(
                        unused -> answers.stream().map(CompletableFuture::join).toList());
    }

    @SuppressWarnings("NullAway") // a stage of nothing completes with null
    private static CompletableFuture<Void> done() {
        return CompletableFuture.completedFuture(null);
    }

    private static HoldEndedException ended() {
        return new HoldEndedException("nothing is held: it was released before, it has lapsed, or its key was reset");
    }

    private static StoreUnavailableException unavailable(String what) {
        return new StoreUnavailableException(
                "Redis did not answer, so the holds may not be " + what + " (expected: try again)", null);
    }
}
