package io.sluice.redis.call;

import io.sluice.Decision;
import io.sluice.Decisions;
import io.sluice.redis.connect.Link;
import io.sluice.redis.connect.NoAnswerException;
import io.sluice.redis.script.Format;
import io.sluice.redis.script.Verb;
import io.sluice.spi.EnteredCharges;
import io.sluice.spi.LimitChangedException;
import io.sluice.spi.Taking;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/*
 * Charges on one slot are one call. Redis cannot decide charges on several slots of a cluster in one step. So first, all
 * slots look at the same time. If one denies, the request is denied, and nothing was taken. If all allow, each slot takes
 * the permits and returns receipts. If one slot denies then, because another request was faster, the others give back exactly
 * what they took.
 *
 * The caller may stop waiting at any time. Then all permits that were taken, or will be taken by calls on their way, are
 * given back.
 */
/** Decides the charges of one request together. */
final class JointDecision {
    private static final int MOST_CHARGES = 1000;

    private final JointDecisions parts;
    private final List<KeyCharge> charges;

    /** The deadline of all steps together, on the monotonic clock. */
    private final long deadline;

    /** The charges by key. Several charges on one key are one charge here. */
    private final Map<CalledKey, KeyCharge> byKey = new LinkedHashMap<>();

    /** The result for the caller. The caller may complete it earlier, by cancelling it. */
    private final CompletableFuture<Decisions> result = new CompletableFuture<>();

    /** Gives back all permits that were taken. */
    private volatile Runnable undo = () -> {};
    /** What the charges hold. */
    private volatile List<Hold> holds = List.of();

    /** The calls that were sent. */
    private final Queue<Call<?>> calls = new ConcurrentLinkedQueue<>();

    /** Whether the deadline has passed, so that no further call may be sent. */
    private volatile boolean givenUp;

    /** The reservation that the charges are kept for, and how long; null if they are final. */
    private final @Nullable Reserving reserving;

    /** What the charges hold if they are allowed; null if they hold nothing. */
    private final @Nullable Entering entering;

    /** Whether Redis keeps what was taken. */
    private volatile boolean kept;

    private record Reserving(ReservationId id, long ttlMicros) {}

    JointDecision(JointDecisions parts, List<KeyCharge> charges) {
        this(parts, charges, null, null);
    }

    /** Charges that hold permits of concurrency limits. */
    static JointDecision entering(JointDecisions parts, List<KeyCharge> charges) {
        return new JointDecision(parts, charges, null, new Entering(charges));
    }

    /** Charges that are settled later. */
    static JointDecision reserving(JointDecisions parts, List<KeyCharge> charges, long ttlMicros) {
        return new JointDecision(
                parts, charges, new Reserving(ReservationId.random(requireDistinct(charges)), ttlMicros), null);
    }

    private static List<KeyCharge> requireDistinct(List<KeyCharge> charges) {
        boolean distinct = charges.stream().map(KeyCharge::calledKey).distinct().count() == charges.size();
        if (!distinct
                || charges.stream().mapToLong(KeyCharge::permits).distinct().count() > 1) {
            throw new IllegalArgumentException(
                    charges.size() + " charges (expected: on different keys, for the same number of permits)");
        }
        return charges;
    }

    private JointDecision(
            JointDecisions parts, List<KeyCharge> charges, @Nullable Reserving reserving, @Nullable Entering entering) {
        this.reserving = reserving;
        this.entering = entering;
        this.parts = parts;
        this.charges = charges;
        if (charges.size() > MOST_CHARGES) {
            throw new IllegalArgumentException(
                    charges.size() + " charges (expected: at most " + MOST_CHARGES + " decided together)");
        }
        long first = charges.stream()
                .filter(charge -> charge.taking() == Taking.FIRST)
                .count();
        if (first > 0 && first < charges.size()) {
            throw new IllegalArgumentException(
                    first + " of " + charges.size() + " charges are taken first (expected: all or none)");
        }
        this.deadline = parts.coldStart.deadline(System.nanoTime());
        for (KeyCharge charge : charges) {
            byKey.merge(charge.calledKey(), charge, KeyCharge::plus);
        }
    }

    /** Decides, and blocks until that is done, which is by the deadline. */
    Decisions await() {
        CompletableFuture<Decisions> decided = decide().toCompletableFuture();
        boolean interrupted = false;
        boolean excused = false;
        try {
            while (true) {
                try {
                    return decided.get(parts.stalls.rest(System.nanoTime(), deadline), TimeUnit.NANOSECONDS);
                } catch (TimeoutException e) {
                    if (excused || parts.stalls.isLate(System.nanoTime(), deadline)) {
                        giveUp(decided);
                    }
                    excused = true;
                } catch (InterruptedException e) {
                    // The answer comes by the deadline. The interrupt status is set again afterwards.
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw e.getCause() instanceof RuntimeException cause
                            ? cause
                            : new IllegalStateException(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Settles all calls without Redis. If no call was sent yet, decides without Redis here. */
    private void giveUp(CompletableFuture<Decisions> decided) {
        givenUp = true;
        calls.forEach(Call::fail);
        if (!decided.isDone()) {
            decided.complete(withoutRedis(calls.stream()
                    .filter(JointCall.class::isInstance)
                    .map(JointCall.class::cast)
                    .toList()));
        }
    }

    /** Decides. Cancelling the stage gives the permits back. */
    CompletionStage<Decisions> decide() {
        decided().whenComplete((decisions, failure) -> {
            if (failure != null) {
                result.completeExceptionally(
                        failure instanceof CompletionException && failure.getCause() != null
                                ? failure.getCause()
                                : failure);
            } else if (!result.complete(decisions)) {
                undo.run();
            }
        });
        return result;
    }

    /** Decides, and makes an answer of the decisions. Cancelling the stage gives the permits back. */
    <T> CompletionStage<T> followedBy(Function<Decisions, T> answer) {
        CompletableFuture<Decisions> decided = decide().toCompletableFuture();
        CompletableFuture<T> answered = new CompletableFuture<>();
        answered.whenComplete((value, failure) -> {
            if (failure != null) {
                decided.cancel(false);
            }
        });
        decided.whenComplete((decisions, failure) -> {
            if (failure != null) {
                answered.completeExceptionally(failure);
            } else if (!answered.complete(answer.apply(decisions))) {
                // The caller has cancelled the stage at the same moment.
                undo.run();
            }
        });
        return answered;
    }

    private CompletionStage<Decisions> decided() {
        if (byKey.isEmpty()) {
            return CompletableFuture.completedFuture(new Decisions(true, List.of()));
        }
        return parts.coldStart.isOver()
                ? decideNow()
                : parts.coldStart.whenReady(this::isReady).thenCompose(unused -> decideNow());
    }

    private boolean isReady() {
        return parts.connection.link() != null
                && byKey.values().stream().allMatch(charge -> charge.limiter().isAgreed());
    }

    private CompletionStage<Decisions> decideNow() {
        if (givenUp) {
            return CompletableFuture.failedFuture(NoAnswerException.deadlinePassed());
        }
        KeyCharge outdated = parts.adoption.asOfOneMoment(this::outdated);
        if (outdated != null) {
            return outdated(outdated);
        }
        Link link = parts.connection.link();
        if (link == null || !isReady()) {
            parts.connection.check();
            return CompletableFuture.completedFuture(withoutRedis(List.of()));
        }
        Map<Integer, List<KeyCharge>> bySlot = new TreeMap<>();
        for (KeyCharge charge : byKey.values()) {
            int slot = link.slotOf(charge.limiter().keyName(charge.key()));
            bySlot.computeIfAbsent(slot, unused -> new ArrayList<>()).add(charge);
        }
        List<List<KeyCharge>> groups = List.copyOf(bySlot.values());
        if (groups.size() == 1) {
            List<KeyCharge> group = groups.get(0);
            return group.size() == 1 && isSingle(group.get(0)) && reserving == null
                    ? decideAlone(group.get(0))
                    : decideAtOnce(group);
        }
        return byKey.values().stream().allMatch(charge -> charge.taking() == Taking.FIRST)
                ? takeFirst(groups)
                : decideInTwoSteps(groups);
    }

    /** Whether a charge is decided as a call of its limiter. */
    private boolean isSingle(KeyCharge charge) {
        return charge.isPlain() && (entering == null || entering.isSingle(charge));
    }

    private @Nullable KeyCharge outdated() {
        for (KeyCharge charge : byKey.values()) {
            // The limits of a limiter that is only prepared are not in force.
            boolean early = charge.expected() != null
                    && !charge.limiter().agreement().isWanted()
                    && !charge.limiter().isAgreed();
            if (early || charge.isOutdated(charge.limiter().versions())) {
                return charge;
            }
        }
        return null;
    }

    private static CompletionStage<Decisions> outdated(KeyCharge charge) {
        return CompletableFuture.failedFuture(
                new LimitChangedException(charge.limiter().name(), Objects.requireNonNull(charge.expected())));
    }

    /** Decides the only charge of a request by a call that is merged with others: many requests may share a hot key. */
    private CompletionStage<Decisions> decideAlone(KeyCharge charge) {
        CheckCall call = entering == null ? new CheckCall(charge, deadline) : new EnterCall(charge, deadline);
        undo = () -> call.giveBack(call.join());
        cancelTogether(call);
        submit(call);
        return call.thenCompose(decision -> {
            if (call.isOutdated()) {
                return outdated(charge);
            }
            Hold held = call instanceof EnterCall enter ? enter.heldBy(decision) : null;
            holds = held == null ? List.of() : List.of(held);
            return CompletableFuture.completedFuture(inOrder(Map.of(charge.calledKey(), decision)));
        });
    }

    private void cancelTogether(Call<?> call) {
        result.whenComplete((decisions, failure) -> {
            if (failure != null) {
                call.cancel(false);
            }
        });
    }

    private CompletionStage<Decisions> decideAtOnce(List<KeyCharge> group) {
        ReservationRecord record = record(group);
        JointCall call = record == null
                ? new JointCall(Verb.ALL, group, entering, deadline)
                : new JointCall(group, record, deadline);
        kept = record != null;
        undo = () -> call.giveBack(call.join());
        cancelTogether(call);
        submit(call);
        return call.thenCompose(answer -> {
            if (answer.outdated() != null) {
                return outdated(answer.outdated());
            }
            if (answer.isMissing()) {
                return CompletableFuture.completedFuture(withoutRedis(List.of(call)));
            }
            noteHolds(List.of(call));
            return CompletableFuture.completedFuture(decisions(List.of(call)));
        });
    }

    private @Nullable ReservationRecord record(List<KeyCharge> group) {
        KeyCharge first = group.get(0);
        return reserving == null
                ? null
                : reserving.id().record(first.limiter().keyName(first.key()), reserving.ttlMicros());
    }

    /** The id by which what was taken can be settled; null if Redis keeps nothing, or it was denied. */
    @Nullable
    String reservationId(Decisions decisions) {
        return kept && reserving != null && decisions.allowed() ? reserving.id().toString() : null;
    }

    private void noteHolds(List<JointCall> taken) {
        List<Hold> all = new ArrayList<>();
        for (JointCall call : taken) {
            List<Decision> decisions = call.join().decisions();
            for (int i = 0; i < decisions.size(); i++) {
                if (decisions.get(i).allowed() && call.isAllowed()) {
                    all.addAll(call.holds(call.charges().get(i)));
                }
            }
        }
        holds = all;
    }

    /** What the charges hold by an answer. */
    EnteredCharges entered(Decisions decisions) {
        List<Hold> held = holds;
        long shortest = held.stream()
                .mapToLong(hold -> holdMicros(hold))
                .filter(micros -> micros > 0)
                .min()
                .orElse(0);
        return !decisions.allowed() || held.isEmpty()
                ? EnteredCharges.withoutHolds(decisions)
                : new EnteredCharges(
                        decisions, HoldsText.of(held), Duration.of(Math.max(1, shortest / 3), ChronoUnit.MICROS));
    }

    private long holdMicros(Hold hold) {
        KeyCharge charge = byKey.get(new CalledKey(hold.limiter(), hold.key()));
        return charge != null && charge.callLimit() != null
                ? charge.callLimit().holdMicros
                : hold.limiter().holdMicros();
    }

    /** Nothing can deny these charges, so each slot takes them at once. */
    private CompletionStage<Decisions> takeFirst(List<List<KeyCharge>> groups) {
        return all(Verb.ALL, groups).thenCompose(calls -> {
            undo = () -> calls.forEach(call -> call.giveBack(call.join()));
            KeyCharge outdated = outdatedOf(calls);
            if (outdated != null || isMissing(calls)) {
                undo.run();
            }
            if (outdated != null) {
                return outdated(outdated);
            }
            return CompletableFuture.completedFuture(isMissing(calls) ? withoutRedis(List.of()) : decisions(calls));
        });
    }

    private CompletionStage<Decisions> decideInTwoSteps(List<List<KeyCharge>> groups) {
        return all(Verb.LOOK, groups).thenCompose(looks -> {
            KeyCharge outdated = outdatedOf(looks);
            if (outdated != null) {
                return outdated(outdated);
            } else if (isMissing(looks)) {
                return CompletableFuture.completedFuture(withoutRedis(List.of()));
            } else if (isAllowed(looks) && !result.isDone()) {
                return take(groups);
            }
            return isOfOneMoment(looks) || result.isDone() ? deny(looks, true, false) : decideInTwoSteps(groups);
        });
    }

    private CompletionStage<Decisions> take(List<List<KeyCharge>> groups) {
        return all(Verb.HOLD, groups).thenCompose(taken -> {
            KeyCharge outdated = outdatedOf(taken);
            boolean missing = isMissing(taken);
            boolean ofOneMoment = outdated != null || missing || isOfOneMoment(taken);
            if (outdated == null && !missing && ofOneMoment && isAllowed(taken) && !result.isDone()) {
                for (JointCall each : taken) {
                    confirm(each);
                }
                undo = () -> taken.forEach(JointCall::cancelConfirmed);
                noteHolds(taken);
                return reserving == null
                        ? deny(taken, true, true)
                        : keep(taken).thenCompose(unused -> deny(taken, true, true));
            }
            for (JointCall each : taken) {
                each.giveBack(each.join());
            }
            if (outdated != null) {
                return outdated(outdated);
            } else if (!ofOneMoment && !result.isDone()) {
                return decideInTwoSteps(groups);
            }
            return missing ? CompletableFuture.completedFuture(withoutRedis(List.of())) : deny(taken, false, false);
        });
    }

    /**
     * Keeps the receipts on every slot. If a slot does not answer, the permits stay taken, but the caller gets no id: nobody could
     * settle all of them.
     */
    private CompletionStage<?> keep(List<JointCall> taken) {
        List<RecordCall> records = new ArrayList<>(taken.size());
        for (JointCall hold : taken) {
            records.add(new RecordCall(
                    hold.charges().get(0),
                    Objects.requireNonNull(record(hold.charges())),
                    hold.join().receipts(),
                    deadline));
        }
        records.forEach(this::submit);
        return CompletableFuture.allOf(records.toArray(CompletableFuture[]::new))
                .thenRun(() -> {
                    kept = records.stream().allMatch(CompletableFuture::join);
                    if (kept) {
                        undo = () -> taken.forEach(this::cancelKept);
                    }
                });
    }

    private void cancelKept(JointCall hold) {
        submit(new SettleCall(hold.charges(), Objects.requireNonNull(record(hold.charges())), 0, Format.SETTLE_ALL));
    }

    /** Whether all slots decided under the limits that are in force now. If not, limits have changed in between. */
    private boolean isOfOneMoment(List<JointCall> calls) {
        return parts.adoption.asOfOneMoment(() -> calls.stream().allMatch(JointCall::isUpToDate));
    }

    private static void confirm(JointCall hold) {
        List<Decision> decisions = hold.join().decisions();
        for (int i = 0; i < decisions.size(); i++) {
            KeyCharge charge = hold.charges().get(i);
            if (decisions.get(i).allowed() && charge.locksOut()) {
                charge.limiter().changes().confirm(charge.key(), charge.permits());
            }
        }
    }

    /**
     * Starts the lockouts of the limits that denied. Other limits are not touched, apart from charges that are always taken.
     *
     * @param locksOut whether lockouts start: not if a slot denied only after all had allowed, because another request was faster
     * @param held whether the charges that were allowed are taken already
     */
    private CompletionStage<Decisions> deny(List<JointCall> looks, boolean locksOut, boolean held) {
        List<JointCall> denials = new ArrayList<>();
        for (JointCall look : looks) {
            List<Decision> decisions = look.join().decisions();
            List<KeyCharge> denied = new ArrayList<>();
            for (int i = 0; i < decisions.size(); i++) {
                KeyCharge charge = look.charges().get(i);
                boolean allowed = decisions.get(i).allowed();
                boolean locks = locksOut && !allowed && charge.locksOut();
                if (charge.permits() > 0 && (locks || (charge.always() && !(held && allowed)))) {
                    denied.add(charge);
                }
            }
            if (!denied.isEmpty()) {
                denials.add(new JointCall(Verb.DENY, denied, entering, deadline));
            }
        }
        denials.forEach(this::submit);
        return CompletableFuture.allOf(denials.toArray(CompletableFuture[]::new))
                .thenApply(unused -> decisions(looks, denials));
    }

    private CompletableFuture<List<JointCall>> all(Verb verb, List<List<KeyCharge>> groups) {
        List<JointCall> calls = groups.stream()
                .map(group -> new JointCall(verb, group, entering, deadline))
                .toList();
        calls.forEach(this::submit);
        return CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).thenApply(unused -> calls);
    }

    private void submit(Call<?> call) {
        calls.add(call);
        parts.lanes.submit(call);
    }

    private static boolean isMissing(List<JointCall> calls) {
        return calls.stream().anyMatch(call -> call.join().isMissing());
    }

    private static @Nullable KeyCharge outdatedOf(List<JointCall> calls) {
        for (JointCall call : calls) {
            KeyCharge outdated = call.join().outdated();
            if (outdated != null) {
                return outdated;
            }
        }
        return null;
    }

    private static boolean isAllowed(List<JointCall> calls) {
        return calls.stream().allMatch(JointCall::isAllowed);
    }

    private Decisions decisions(List<JointCall> calls) {
        return decisions(calls, List.of());
    }

    private Decisions decisions(List<JointCall> calls, List<JointCall> later) {
        Map<CalledKey, Decision> each = new LinkedHashMap<>();
        calls.forEach(call -> put(call, each, true));
        later.forEach(call -> put(call, each, false));
        return inOrder(each);
    }

    private static void put(JointCall call, Map<CalledKey, Decision> each, boolean first) {
        List<Decision> decisions = call.join().decisions();
        for (int i = 0; i < decisions.size(); i++) {
            KeyCharge charge = call.charges().get(i);
            Decision decision = decisions.get(i);
            if (first) {
                each.put(charge.calledKey(), decision);
            } else if (charge.always()) {
                each.merge(charge.calledKey(), decision, JointDecision::afterwards);
            } else if (!decision.allowed()) {
                // A charge that would be allowed by now was denied all the same.
                each.put(charge.calledKey(), decision);
            }
        }
    }

    /** A verdict, with what is left after the permits were taken. */
    private static Decision afterwards(Decision verdict, Decision taken) {
        return new Decision(
                verdict.allowed(),
                taken.remaining(),
                verdict.allowed() ? 0 : Math.max(verdict.retryAfterMicros(), taken.retryAfterMicros()),
                verdict.delayMicros(),
                taken.resetAfterMicros(),
                taken.debt(),
                false);
    }

    private Decisions inOrder(Map<CalledKey, Decision> each) {
        boolean allowed = byKey.entrySet().stream()
                .allMatch(entry -> entry.getValue().shadow()
                        || Objects.requireNonNull(each.get(entry.getKey())).allowed());
        return new Decisions(
                allowed,
                charges.stream()
                        .map(charge -> Objects.requireNonNull(each.get(charge.calledKey())))
                        .toList());
    }

    private Decisions withoutRedis(List<JointCall> given) {
        JointFallback fallback = new JointFallback(byKey, parts.localShares, entering);
        Map<CalledKey, Decision> each = fallback.decide();
        holds = fallback.holds();
        Decisions decisions = inOrder(each);
        given.forEach(call -> call.deniedWithoutRedis = !decisions.allowed());
        undo = () -> {
            given.forEach(call -> call.deniedWithoutRedis = true);
            fallback.refund(each, decisions.allowed());
        };
        return decisions;
    }
}
