package io.sluice.redis;

import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Decisions;
import io.sluice.LimitChangedException;
import io.sluice.OnFailure;
import io.sluice.redis.Call.Verb;
import io.sluice.redis.JointCall.Ask;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/*
 * Charges on one slot are one call. On several slots of a cluster nothing can decide them in one step. So every slot
 * first looks, all at once; if one denies, the request is denied, and nothing was taken. If all allow, each takes, for a
 * receipt; if one denies after all, because somebody was faster, the others give back exactly what they took.
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

    private record Place(RedisLimiter limiter, String key) {}

    JointDecision(RedisStore store, List<Charge> charges) {
        this.store = store;
        this.charges = List.copyOf(charges);
        if (charges.size() > MOST_CHARGES) {
            throw new IllegalArgumentException(
                    charges.size() + " charges (expected: at most " + MOST_CHARGES + " decided together)");
        }
        this.deadline = System.nanoTime() + store.deadlineNanos;
        for (Charge charge : charges) {
            RedisLimiter limiter = limiterOf(charge);
            asks.merge(new Place(limiter, charge.key()), ask(limiter, charge), JointDecision::sum);
        }
    }

    private static Ask ask(RedisLimiter limiter, Charge charge) {
        return new Ask(limiter, charge.key(), charge.permits(), charge.kept(), charge.shadow(), charge.expected());
    }

    /** More than any limit has stays more: the sum saturates. */
    private static Ask sum(Ask x, Ask y) {
        boolean fits = x.permits() <= Long.MAX_VALUE - y.permits();
        return new Ask(
                x.limiter(),
                x.key(),
                fits ? x.permits() + y.permits() : Long.MAX_VALUE,
                Math.max(x.kept(), y.kept()),
                x.shadow() && y.shadow(),
                x.expected());
    }

    private RedisLimiter limiterOf(Charge charge) {
        if (charge.limiter() instanceof RedisLimiter limiter && limiter.store() == store) {
            return limiter;
        }
        throw new IllegalArgumentException("charge on limiter \""
                + charge.limiter().name() + "\": of another store (expected: one of this store)");
    }

    CompletionStage<Decisions> decide() {
        if (asks.isEmpty()) {
            return CompletableFuture.completedFuture(new Decisions(true, List.of()));
        }
        for (Ask ask : asks.values()) {
            if (ask.isOutdated(ask.limiter().terms())) {
                return outdated(ask);
            }
        }
        Link link = store.link();
        if (link == null
                || asks.values().stream().anyMatch(ask -> !ask.limiter().isAgreed())) {
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

    private static CompletionStage<Decisions> outdated(Ask ask) {
        return CompletableFuture.failedFuture(
                new LimitChangedException(ask.limiter().name(), Objects.requireNonNull(ask.expected())));
    }

    private CompletionStage<Decisions> decideAtOnce(List<Ask> group) {
        JointCall call = new JointCall(Verb.ALL, group, deadline);
        store.lanes.submit(call);
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
            }
            return isAllowed(looks) ? take(groups) : deny(looks);
        });
    }

    private CompletionStage<Decisions> take(List<List<Ask>> groups) {
        return all(Verb.HOLD, groups).thenCompose(holds -> {
            Ask outdated = outdatedOf(holds);
            boolean missing = isMissing(holds);
            if (outdated == null && !missing && isAllowed(holds)) {
                for (JointCall hold : holds) {
                    confirm(hold);
                }
                return deny(holds);
            }
            for (JointCall hold : holds) {
                hold.giveBack(hold.join());
            }
            if (outdated != null) {
                return outdated(outdated);
            }
            return CompletableFuture.completedFuture(missing ? withoutRedis(List.of()) : decisions(holds));
        });
    }

    private static void confirm(JointCall hold) {
        List<Decision> decisions = hold.join().decisions();
        for (int i = 0; i < decisions.size(); i++) {
            Ask ask = hold.asks.get(i);
            if (decisions.get(i).allowed() && ask.limiter().locksOut()) {
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
                if (!decisions.get(i).allowed() && ask.limiter().locksOut() && ask.permits() > 0) {
                    denied.add(ask);
                }
            }
            if (!denied.isEmpty()) {
                denials.add(new JointCall(Verb.DENY, denied, deadline));
            }
        }
        denials.forEach(store.lanes::submit);
        return CompletableFuture.allOf(denials.toArray(CompletableFuture[]::new))
                .thenApply(unused -> decisions(looks, denials));
    }

    private CompletableFuture<List<JointCall>> all(Verb verb, List<List<Ask>> groups) {
        List<JointCall> calls = groups.stream()
                .map(group -> new JointCall(verb, group, deadline))
                .toList();
        calls.forEach(store.lanes::submit);
        return CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).thenApply(unused -> calls);
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
                        .map(charge -> Objects.requireNonNull(each.get(new Place(limiterOf(charge), charge.key()))))
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
                each.put(place, fallback.check(ask.key(), ask.permits(), Verb.PEEK));
            } else {
                Decision share = denies ? store.localShares.look(ask) : shares.next();
                each.put(place, fallback.answer(share, ask));
            }
        });
        Decisions decisions = inOrder(each);
        given.forEach(call -> call.toldDenied = !decisions.allowed());
        return decisions;
    }
}
