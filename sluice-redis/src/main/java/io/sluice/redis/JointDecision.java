package io.sluice.redis;

import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Decisions;
import io.sluice.OnFailure;
import io.sluice.redis.Call.Verb;
import io.sluice.redis.JointCall.Ask;
import io.sluice.spi.LimitChangedException;
import io.sluice.spi.PolicyCharge;
import java.util.ArrayList;
import java.util.Iterator;
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
import org.jspecify.annotations.Nullable;

/*
 * Charges on one slot are one call. On several slots of a cluster nothing can decide them in one step. So every slot
 * first looks, all at once; if one denies, the request is denied, and nothing was taken. If all allow, each takes, for a
 * receipt; if one denies after all, because somebody was faster, the others give back exactly what they took.
 *
 * Who asked may stop listening at any time: then what was taken, or is taken by what is already on its way, goes back.
 */
/** Charges that are decided together. */
final class JointDecision {
    private static final int MOST_CHARGES = 1000;

    private final RedisStore store;
    private final List<Charge> charges;

    /** For all steps together. */
    private final long deadline;

    /** What is asked of each key, which may be charged more than once. */
    private final Map<Place, Ask> asks = new LinkedHashMap<>();

    /** What the caller hears; done earlier if it stops listening. */
    private final CompletableFuture<Decisions> told = new CompletableFuture<>();

    /** Gives back what was taken. */
    private volatile Runnable undo = () -> {};
    /** What was sent for it. */
    private final Queue<JointCall> calls = new ConcurrentLinkedQueue<>();

    /** Whether its caller was answered without it. */
    private volatile boolean givenUp;

    private record Place(RedisLimiter limiter, String key) {}

    JointDecision(RedisStore store, List<Charge> charges) {
        this.store = store;
        this.charges = List.copyOf(charges);
        if (charges.size() > MOST_CHARGES) {
            throw new IllegalArgumentException(
                    charges.size() + " charges (expected: at most " + MOST_CHARGES + " decided together)");
        }
        this.deadline = store.deadline();
        for (Charge charge : charges) {
            Place place = place(charge);
            asks.merge(place, ask(place, charge), JointDecision::sum);
        }
    }

    private static Ask ask(Place place, Charge charge) {
        Terms own = charge.limiter() instanceof RedisCallLimiter calls && charge.limit() != null
                ? calls.terms(charge.limit())
                : null;
        return new Ask(
                place.limiter(),
                place.key(),
                charge.permits(),
                PolicyCharge.kept(charge),
                PolicyCharge.isShadow(charge),
                PolicyCharge.expected(charge),
                own);
    }

    /** More than any limit has stays more: the sum saturates. */
    private static Ask sum(Ask x, Ask y) {
        if (x.own() != null && y.own() != null && !x.own().isLike(y.own())) {
            throw new IllegalArgumentException("charges on \"" + x.limiter().name() + "\", key \"" + x.key()
                    + "\": carry "
                    + x.own().limits().get(0) + " and " + y.own().limits().get(0)
                    + " (expected: one limit for each key of a decision)");
        }
        boolean fits = x.permits() <= Long.MAX_VALUE - y.permits();
        return new Ask(
                x.limiter(),
                x.key(),
                fits ? x.permits() + y.permits() : Long.MAX_VALUE,
                Math.max(x.kept(), y.kept()),
                x.shadow() && y.shadow(),
                x.expected(),
                x.own());
    }

    private Place place(Charge charge) {
        if (charge.limiter() instanceof RedisLimiter limiter && limiter.store() == store) {
            return new Place(limiter, charge.key());
        } else if (charge.limiter() instanceof RedisCallLimiter calls && calls.carrier.store() == store) {
            return new Place(calls.carrier, KeyNames.shortened(charge.key()));
        }
        throw new IllegalArgumentException("charge on limiter \""
                + charge.limiter().name() + "\": of another store (expected: one of this store)");
    }

    /** Decides, and blocks until that is done, which is by the deadline. */
    Decisions await() {
        CompletableFuture<Decisions> decided = decide().toCompletableFuture();
        boolean interrupted = false;
        boolean excused = false;
        try {
            while (true) {
                try {
                    return decided.get(store.stalls.rest(System.nanoTime(), deadline), TimeUnit.NANOSECONDS);
                } catch (TimeoutException e) {
                    if (excused || store.stalls.isLate(System.nanoTime(), deadline)) {
                        giveUp(decided);
                    }
                    excused = true;
                } catch (InterruptedException e) {
                    // The answer is due within the deadline; the caller finds itself interrupted afterwards.
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

    /** Settles what is on its way without Redis, which decides; what was held back so far is decided without it here. */
    private void giveUp(CompletableFuture<Decisions> decided) {
        givenUp = true;
        calls.forEach(Call::fail);
        if (!decided.isDone()) {
            decided.complete(withoutRedis(List.copyOf(calls)));
        }
    }

    /** The decisions; cancelling the stage gives the permits back. */
    CompletionStage<Decisions> decide() {
        decided().whenComplete((decisions, failure) -> {
            if (failure != null) {
                told.completeExceptionally(
                        failure instanceof CompletionException && failure.getCause() != null
                                ? failure.getCause()
                                : failure);
            } else if (!told.complete(decisions)) {
                undo.run();
            }
        });
        return told;
    }

    private CompletionStage<Decisions> decided() {
        if (asks.isEmpty()) {
            return CompletableFuture.completedFuture(new Decisions(true, List.of()));
        }
        return store.coldStart.isOver()
                ? decideNow()
                : store.coldStart.whenReady(this::isReady).thenCompose(unused -> decideNow());
    }

    private boolean isReady() {
        return store.link() != null
                && asks.values().stream().allMatch(ask -> ask.limiter().isAgreed());
    }

    private CompletionStage<Decisions> decideNow() {
        if (givenUp) {
            return CompletableFuture.failedFuture(Late.unanswered());
        }
        Ask outdated = store.config.asOfOneMoment(this::outdated);
        if (outdated != null) {
            return outdated(outdated);
        }
        Link link = store.link();
        if (link == null || !isReady()) {
            store.connection.check();
            return CompletableFuture.completedFuture(withoutRedis(List.of()));
        }
        Map<Integer, List<Ask>> bySlot = new TreeMap<>();
        for (Ask ask : asks.values()) {
            int slot = link.slotOf(ask.limiter().keyName(ask.key()));
            bySlot.computeIfAbsent(slot, unused -> new ArrayList<>()).add(ask);
        }
        List<List<Ask>> groups = List.copyOf(bySlot.values());
        return groups.size() == 1 ? decideAtOnce(groups.get(0)) : decideInTwoSteps(groups);
    }

    private @Nullable Ask outdated() {
        for (Ask ask : asks.values()) {
            // What somebody only gets ready for is not in force.
            boolean early = ask.expected() != null
                    && !ask.limiter().isWanted()
                    && !ask.limiter().isAgreed();
            if (early || ask.isOutdated(ask.limiter().terms())) {
                return ask;
            }
        }
        return null;
    }

    private static CompletionStage<Decisions> outdated(Ask ask) {
        return CompletableFuture.failedFuture(
                new LimitChangedException(ask.limiter().name(), Objects.requireNonNull(ask.expected())));
    }

    private CompletionStage<Decisions> decideAtOnce(List<Ask> group) {
        JointCall call = new JointCall(Verb.ALL, group, deadline);
        undo = () -> call.giveBack(call.join());
        told.whenComplete((decisions, failure) -> {
            if (failure != null) {
                call.cancel(false);
            }
        });
        submit(call);
        return call.thenCompose(answer -> {
            if (answer.outdated() != null) {
                return outdated(answer.outdated());
            }
            return CompletableFuture.completedFuture(
                    answer.isMissing() ? withoutRedis(List.of(call)) : decisions(List.of(call)));
        });
    }

    private CompletionStage<Decisions> decideInTwoSteps(List<List<Ask>> groups) {
        return all(Verb.LOOK, groups).thenCompose(looks -> {
            Ask outdated = outdatedOf(looks);
            if (outdated != null) {
                return outdated(outdated);
            } else if (isMissing(looks)) {
                return CompletableFuture.completedFuture(withoutRedis(List.of()));
            } else if (isAllowed(looks) && !told.isDone()) {
                return take(groups);
            }
            return isOfOneMoment(looks) || told.isDone() ? deny(looks) : decideInTwoSteps(groups);
        });
    }

    private CompletionStage<Decisions> take(List<List<Ask>> groups) {
        return all(Verb.HOLD, groups).thenCompose(holds -> {
            Ask outdated = outdatedOf(holds);
            boolean missing = isMissing(holds);
            boolean ofOneMoment = outdated != null || missing || isOfOneMoment(holds);
            if (outdated == null && !missing && ofOneMoment && isAllowed(holds) && !told.isDone()) {
                for (JointCall hold : holds) {
                    confirm(hold);
                }
                undo = () -> holds.forEach(JointCall::cancelConfirmed);
                return deny(holds);
            }
            for (JointCall hold : holds) {
                hold.giveBack(hold.join());
            }
            if (outdated != null) {
                return outdated(outdated);
            } else if (!ofOneMoment && !told.isDone()) {
                return decideInTwoSteps(groups);
            }
            return CompletableFuture.completedFuture(missing ? withoutRedis(List.of()) : decisions(holds));
        });
    }

    /** Whether no slot was asked under other limits than the rest, because they were put in force in between. */
    private boolean isOfOneMoment(List<JointCall> calls) {
        return store.config.asOfOneMoment(() -> calls.stream().allMatch(JointCall::isUpToDate));
    }

    private static void confirm(JointCall hold) {
        List<Decision> decisions = hold.join().decisions();
        for (int i = 0; i < decisions.size(); i++) {
            Ask ask = hold.asks.get(i);
            if (decisions.get(i).allowed() && ask.locksOut()) {
                ask.limiter().changes.confirm(ask.key(), ask.permits());
            }
        }
    }

    /** The limits that denied start their lockout, if they have one; the others were not touched. */
    private CompletionStage<Decisions> deny(List<JointCall> looks) {
        List<JointCall> denials = new ArrayList<>();
        for (JointCall look : looks) {
            List<Decision> decisions = look.join().decisions();
            List<Ask> denied = new ArrayList<>();
            for (int i = 0; i < decisions.size(); i++) {
                Ask ask = look.asks.get(i);
                if (!decisions.get(i).allowed() && ask.locksOut() && ask.permits() > 0) {
                    denied.add(ask);
                }
            }
            if (!denied.isEmpty()) {
                denials.add(new JointCall(Verb.DENY, denied, deadline));
            }
        }
        denials.forEach(this::submit);
        return CompletableFuture.allOf(denials.toArray(CompletableFuture[]::new))
                .thenApply(unused -> decisions(looks, denials));
    }

    private CompletableFuture<List<JointCall>> all(Verb verb, List<List<Ask>> groups) {
        List<JointCall> calls = groups.stream()
                .map(group -> new JointCall(verb, group, deadline))
                .toList();
        calls.forEach(this::submit);
        return CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).thenApply(unused -> calls);
    }

    private void submit(JointCall call) {
        calls.add(call);
        store.lanes.submit(call);
    }

    private static boolean isMissing(List<JointCall> calls) {
        return calls.stream().anyMatch(call -> call.join().isMissing());
    }

    private static @Nullable Ask outdatedOf(List<JointCall> calls) {
        for (JointCall call : calls) {
            Ask outdated = call.join().outdated();
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
        Map<Place, Decision> each = new LinkedHashMap<>();
        calls.forEach(call -> put(call, each, true));
        // Who would be allowed by now was denied all the same.
        later.forEach(call -> put(call, each, false));
        return inOrder(each);
    }

    private static void put(JointCall call, Map<Place, Decision> each, boolean evenAllowed) {
        List<Decision> decisions = call.join().decisions();
        for (int i = 0; i < decisions.size(); i++) {
            Ask ask = call.asks.get(i);
            if (evenAllowed || !decisions.get(i).allowed()) {
                each.put(new Place(ask.limiter(), ask.key()), decisions.get(i));
            }
        }
    }

    private Decisions inOrder(Map<Place, Decision> each) {
        boolean allowed = asks.entrySet().stream()
                .allMatch(entry -> entry.getValue().shadow()
                        || Objects.requireNonNull(each.get(entry.getKey())).allowed());
        return new Decisions(
                allowed,
                charges.stream()
                        .map(charge -> Objects.requireNonNull(each.get(place(charge))))
                        .toList());
    }

    /** Each limiter answers for itself; what is enforced locally is decided together, and only taken if nobody denies. */
    private Decisions withoutRedis(List<JointCall> given) {
        // Once for each: a reload may replace them.
        Map<Place, Fallback> fallbacks = new LinkedHashMap<>();
        asks.forEach((place, ask) -> fallbacks.put(place, ask.limiter().fallback()));
        boolean denies = fallbacks.entrySet().stream()
                .anyMatch(entry -> entry.getValue().how() == OnFailure.DENY
                        && !Objects.requireNonNull(asks.get(entry.getKey())).shadow());
        List<Ask> local = new ArrayList<>();
        asks.forEach((place, ask) -> {
            Fallback fallback = Objects.requireNonNull(fallbacks.get(place));
            if (fallback.how() == OnFailure.LOCAL && !denies) {
                local.add(ask);
            }
        });
        Iterator<Decision> shares = store.localShares.decide(local).iterator();
        Map<Place, Decision> each = new LinkedHashMap<>();
        asks.forEach((place, ask) -> {
            Fallback fallback = Objects.requireNonNull(fallbacks.get(place));
            if (fallback.how() != OnFailure.LOCAL) {
                each.put(place, fallback.check(ask.key(), ask.permits(), Verb.PEEK, ask.own()));
            } else {
                Decision share = denies ? store.localShares.look(ask) : shares.next();
                each.put(place, fallback.answer(share, ask));
            }
        });
        Decisions decisions = inOrder(each);
        given.forEach(call -> call.toldDenied = !decisions.allowed());
        undo = () -> {
            given.forEach(call -> call.toldDenied = true);
            if (decisions.allowed()) {
                asks.forEach((place, ask) -> {
                    if (Objects.requireNonNull(each.get(place)).allowed()) {
                        Objects.requireNonNull(fallbacks.get(place)).refund(ask.key(), ask.permits());
                    }
                });
            }
        };
        return decisions;
    }
}
