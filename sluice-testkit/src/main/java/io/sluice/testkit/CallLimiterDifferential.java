package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Blocked;
import io.sluice.CallLimiter;
import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Decisions;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import io.sluice.Unlimited;
import io.sluice.spi.PolicyStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;

/*
 * Each key has its own model. The limit of the model is updated when a call brings another limit. But a call that changes
 * nothing leaves the key under its old limit. So the trace copies the model of the key first, and the copy replaces the
 * model only if the call has changed its state.
 */
/** A differential test of call limiters: random calls that bring their own limits, on a store and on the model. */
final class CallLimiterDifferential {
    private static final String[] KEYS = {"a", "b", "#c"};

    private final Random random;
    private final RandomLimits limits;
    private final boolean backward;
    private final Differential.TraceTime time;
    private final PolicyStore store;
    private final CallLimiter calls;
    private final RateLimiter other;
    private final ReferenceModel otherModel;
    private final List<Limit> pool = new ArrayList<>();
    private final Map<String, ReferenceModel> models = new HashMap<>();
    private final List<Long> promised = new ArrayList<>();
    private final List<String> history = new ArrayList<>();

    /** How many decisions of the store were compared with the model. */
    private int compared;

    private CallLimiterDifferential(
            long seed, String kind, boolean backward, Function<TimeSource, PolicyStore> stores) {
        random = new Random(seed ^ ((long) kind.hashCode() << 32));
        limits = new RandomLimits(random);
        this.backward = backward;
        time = new Differential.TraceTime(random.nextLong(1_500_000_000_000_000L, 2_000_000_000_000_000L), !backward);
        store = stores.apply(time);
        calls = store.callLimiter("calls");
        Limit all = Limit.parse("sliding-log 30/s lockout 1s");
        other = store.limiter("other", all);
        otherModel = ReferenceModel.of(all);
        Limit first = limits.of(kind);
        pool.add(first);
        pool.add(limits.like(first));
        pool.add(limits.anyRate());
        pool.add(random.nextBoolean() ? Limit.unlimited() : Limit.blocked());
    }

    /** Runs one trace and returns how many decisions it has compared. */
    static int run(long seed, String kind, boolean backward, int steps, Function<TimeSource, PolicyStore> stores) {
        CallLimiterDifferential trace = new CallLimiterDifferential(seed, kind, backward, stores);
        for (int step = 0; step < steps; step++) {
            try {
                trace.step();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(
                        "seed " + seed + ", kind " + kind + ", backward " + backward + ", step " + step + ": "
                                + e.getMessage() + "\nafter:\n" + String.join("\n", trace.history),
                        e);
            }
        }
        return trace.compared;
    }

    private void step() {
        Limit limit = limit();
        move(limit);
        String key = KEYS[random.nextInt(KEYS.length)];
        long permits = permits(limit);
        int verb = random.nextInt(20);
        note("verb " + verb + "(" + key + ", " + permits + ", " + limit + ")");
        switch (verb) {
            case 0 -> {
                calls.refund(key, permits);
                if (models.containsKey(key)) {
                    models.get(key).refund(key, permits, time.micros());
                }
            }
            case 1 -> {
                calls.reset(key);
                models.remove(key);
            }
            case 2, 3, 4, 5 -> decide(key, permits, limit);
            default -> {
                Decision expected = expected(key, permits, limit);
                assertThat(calls.check(key, permits, limit))
                        .as("check(%s, %s, %s) at %s", key, permits, limit, time.micros())
                        .isEqualTo(expected);
                compared++;
                promise(expected.retryAfterMicros());
                promise(expected.resetAfterMicros());
            }
        }
        Limit looked = limit();
        long asked = permits(looked);
        assertThat(calls.peek(key, asked, looked))
                .as("peek(%s, %s, %s) at %s", key, asked, looked, time.micros())
                .isEqualTo(under(key, looked).peek(key, asked, time.micros()));
        compared++;
    }

    /** Decides a call together with a limiter that has its own limit. */
    private void decide(String key, long permits, Limit limit) {
        List<Charge> charges = new ArrayList<>(List.of(calls.charge(key, permits, limit), other.charge("", 7)));
        boolean swapped = random.nextBoolean();
        if (swapped) {
            charges.add(charges.remove(0));
        }
        Decisions decisions = store.decide(charges);
        ReferenceModel asked = under(key, limit);
        ReferenceModel before = asked.copy();
        List<Decision> expected = ReferenceModel.decide(
                time.micros(), List.of(new ModelCharge(asked, key, permits), new ModelCharge(otherModel, "", 7)));
        keep(key, before, asked);
        assertThat(decisions.each().get(swapped ? 1 : 0)).as("own limit").isEqualTo(expected.get(0));
        assertThat(decisions.each().get(swapped ? 0 : 1)).as("the other").isEqualTo(expected.get(1));
        assertThat(decisions.allowed())
                .isEqualTo(expected.get(0).allowed() && expected.get(1).allowed());
        compared++;
    }

    private Decision expected(String key, long permits, Limit limit) {
        ReferenceModel asked = under(key, limit);
        ReferenceModel before = asked.copy();
        Decision expected = asked.check(key, permits, time.micros());
        keep(key, before, asked);
        return expected;
    }

    /** A model of the key, just updated to the limit. */
    private ReferenceModel under(String key, Limit limit) {
        ReferenceModel known = models.get(key);
        if (known == null || isStateless(limit)) {
            return ReferenceModel.of(limit);
        }
        ReferenceModel asked = known.copy();
        asked.update(time.micros(), limit);
        return asked;
    }

    private void keep(String key, ReferenceModel before, ReferenceModel asked) {
        if (!asked.isLike(before)) {
            models.put(key, asked);
        }
    }

    private static boolean isStateless(Limit limit) {
        return limit instanceof Unlimited || limit instanceof Blocked;
    }

    private Limit limit() {
        if (random.nextInt(30) == 0) {
            pool.set(random.nextInt(3), limits.anyRate());
        }
        return pool.get(Math.min(pool.size() - 1, random.nextInt(12) / 3));
    }

    private long permits(Limit limit) {
        long capacity = Math.min(limit.capacity(), 1L << 50);
        return switch (random.nextInt(10)) {
            case 0 -> 0;
            case 1 -> capacity;
            case 2 -> capacity + 1;
            case 3, 4 -> random.nextLong(capacity + 1);
            case 5, 6 -> Math.max(1, capacity / 3);
            default -> 1;
        };
    }

    private void move(Limit limit) {
        long now = time.micros();
        long refill = isStateless(limit) ? 1 : Math.max(1, limit.refillTime().toNanos() / 1000);
        switch (random.nextInt(12)) {
            case 0, 1 -> time.moveTo(now + random.nextInt(5));
            case 2, 3 -> time.moveTo(now + random.nextLong(1, 2 + refill));
            case 4 -> time.moveTo((now / refill + 1) * refill - 1 + random.nextInt(3));
            case 5 -> {
                if (backward) {
                    time.moveTo(now - (1L << random.nextInt(40)));
                }
            }
            case 6, 7 -> {
                if (!promised.isEmpty()) {
                    time.moveTo(promised.get(random.nextInt(promised.size())) - 1 + random.nextInt(3));
                }
            }
            default -> {}
        }
    }

    private void promise(long micros) {
        if (micros > 0 && micros < 1L << 45) {
            promised.add(time.micros() + micros);
            if (promised.size() > 20) {
                promised.remove(0);
            }
        }
    }

    private void note(String operation) {
        history.add(time.micros() + " " + operation);
        if (history.size() > Integer.getInteger("sluice.history", 30)) {
            history.remove(0);
        }
    }
}
