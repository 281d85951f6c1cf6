package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.CalendarWindow;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.Lockout;
import io.sluice.RateLimiter;
import io.sluice.Reservation;
import io.sluice.TimeSource;
import io.sluice.spi.PolicyStore;
import java.time.Duration;
import java.time.Instant;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;

/*
 * One seed makes one trace: the limits, the times, the keys and the operations. The times are where mistakes live: the
 * same microsecond again, one before and after every moment that an answer has promised, the edges of periods, years of
 * nothing, and (if asked for) back. A failure names the seed, the step and the limits; the seed alone replays it.
 */
/** A differential test: runs a random trace on a store and on the model, and compares every decision. */
final class Differential {
    private static final String[] KEYS = {"a", "b", "c"};
    private static final int MOST_LIMITS = 3;
    private static final long DAY = Duration.ofDays(1).toNanos() / 1000;
    private static final long YEAR = Duration.ofDays(365).toNanos() / 1000;

    private final Random random;
    private final RandomLimits limits;
    private final boolean backward;

    /** Whether the trace began with several limits. */
    private final boolean several;

    private final TraceTime time;
    private final ReferenceModel model;
    private final RateLimiter limiter;
    private final DifferentialHolds holds;
    private final List<Pair> reservations = new ArrayList<>();
    private final Set<ModelReservation> cancelled = new HashSet<>();
    private final List<Long> promised = new ArrayList<>();

    /** When an escalation might be forgotten. */
    private final List<Long> forgettings = new ArrayList<>();

    private final TraceCoverage coverage;

    /** The latest operations, for the error message. */
    private final List<String> history = new ArrayList<>();

    private List<Limit> current;

    /** How many decisions of the store were compared with the model. */
    private int compared;

    private record Pair(Reservation reservation, ModelReservation modelled) {}

    /** The time at which a trace begins. */
    enum Era {
        /** Today, give or take some years. */
        TODAY {
            @Override
            long start(Random random, Limit limit) {
                return random.nextLong(1_500_000_000_000_000L, 2_000_000_000_000_000L);
            }
        },
        /** Within the two days before clocks are changed in the zone of the limit, if it has one. */
        CLOCK_CHANGE {
            @Override
            long start(Random random, Limit limit) {
                Instant any = Instant.ofEpochSecond(random.nextLong(100_000_000, 2_000_000_000));
                Instant change = any;
                if (RandomLimits.rule(limit) instanceof CalendarWindow window) {
                    ZoneOffsetTransition next = window.zone().getRules().nextTransition(any);
                    change = next == null ? any : next.getInstant();
                }
                return change.getEpochSecond() * 1_000_000 - random.nextLong(2 * DAY);
            }
        },
        /** From the year 2112 to the last valid microsecond. Many permits become free only after that. */
        LATE {
            @Override
            long start(Random random, Limit limit) {
                return TraceTime.LATEST - random.nextLong(1L << random.nextInt(1, 53));
            }
        };

        abstract long start(Random random, Limit limit);
    }

    private Differential(
            long seed,
            String kind,
            boolean backward,
            Era era,
            TraceCoverage coverage,
            Function<TimeSource, PolicyStore> stores) {
        this.random = new Random(seed ^ ((long) kind.hashCode() << 32));
        this.limits = new RandomLimits(random);
        this.backward = backward;
        this.coverage = coverage;
        this.current = random.nextInt(5) == 0 ? List.of(limits.of(kind), limits.any()) : List.of(limits.of(kind));
        this.several = current.size() > 1;
        this.time = new TraceTime(era.start(random, current.get(0)), !backward);
        Limit[] more = current.subList(1, current.size()).toArray(Limit[]::new);
        this.model = ReferenceModel.of(current.get(0), more);
        PolicyStore store = stores.apply(time);
        this.limiter = store.limiter("differential", current.get(0), more);
        this.holds = new DifferentialHolds(random, store, limiter, model, time);
    }

    /** Runs one trace and returns how many decisions it has compared. */
    static int run(
            long seed,
            String kind,
            boolean backward,
            Era era,
            int steps,
            TraceCoverage coverage,
            Function<TimeSource, PolicyStore> stores) {
        Differential trace = new Differential(seed, kind, backward, era, coverage, stores);
        for (int step = 0; step < steps; step++) {
            String replay =
                    "seed " + seed + ", kind " + kind + ", backward " + backward + ", era " + era + ", step " + step;
            try {
                trace.step();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(
                        replay + ", limits " + trace.current + ": " + e.getMessage() + "\nafter:\n"
                                + String.join("\n", trace.history),
                        e);
            }
        }
        return trace.compared;
    }

    private void step() {
        move();
        String key = KEYS[random.nextInt(KEYS.length)];
        long permits = permits();
        int verb = random.nextInt(45);
        boolean uses = verb == 2 || (verb >= 5 && verb <= 7) || (verb >= 10 && verb <= 38) || verb >= 41;
        if (random.nextInt(30) == 0 || (uses && permits > 0 && limiter.limitsConcurrency())) {
            // Only these verbs charge a limit of concurrency with permits.
            hold(key, permits);
        } else {
            run(verb, key, permits);
        }
        long looked = permits();
        assertThat(limiter.peek(key, looked))
                .as("peek(%s, %s) at %s", key, looked, time.micros())
                .isEqualTo(model.peek(key, looked, time.micros()));
        compared++;
    }

    private void hold(String key, long permits) {
        int verb = random.nextInt(50);
        note("hold " + verb + "(" + key + ", " + permits + ")");
        if (verb < 10) {
            if (holds.renew()) {
                coverage.count("renew", current.get(0));
            }
        } else if (verb < 22) {
            if (holds.leave()) {
                coverage.count("leave", current.get(0));
            }
        } else if (verb == 22 && limiter.limitsConcurrency()) {
            assertThatThrownBy(() -> limiter.check(key, 1)).isInstanceOf(IllegalStateException.class);
        } else {
            Decision entered = holds.enter(key, permits);
            coverage.count(entered.allowed() ? "enter" : "no entry", current.get(0));
            promise(entered.retryAfterMicros());
            promise(entered.resetAfterMicros());
            if (!entered.allowed() && permits > 0) {
                promiseForgetting();
            }
        }
        compared++;
    }

    private void run(int verb, String key, long permits) {
        note("verb " + verb + "(" + key + ", " + permits + ")");
        switch (verb) {
            case 0, 1 -> {
                count("refund", key, permits);
                limiter.refund(key, permits);
                model.refund(key, permits, time.micros());
            }
            case 2 -> {
                count("penalize", key, permits);
                limiter.penalize(key, permits);
                model.penalize(key, permits, time.micros());
            }
            case 3 -> {
                count("reset", key, 1);
                limiter.reset(key);
                model.reset(key);
            }
            case 40 -> pause(key);
            case 4 -> update();
            case 5, 6, 7 -> reserve(key, permits);
            case 8, 9 -> cancel();
            case 39 -> settle();
            case 10, 11, 12, 13 -> {
                coverage.count("tryAcquire", current.get(0));
                assertThat(limiter.tryAcquire(key, permits))
                        .as("tryAcquire(%s, %s) at %s", key, permits, time.micros())
                        .isEqualTo(model.tryAcquire(key, permits, time.micros()));
                compared++;
            }
            case 41, 42, 43, 44 -> {
                coverage.count("acquireUpTo", current.get(0));
                assertThat(limiter.acquireUpTo(key, permits))
                        .as("acquireUpTo(%s, %s) at %s", key, permits, time.micros())
                        .isEqualTo(model.acquireUpTo(key, permits, time.micros()));
                compared++;
            }
            default -> {
                Decision expected = model.check(key, permits, time.micros());
                assertThat(limiter.check(key, permits))
                        .as("check(%s, %s) at %s", key, permits, time.micros())
                        .isEqualTo(expected);
                compared++;
                coverage.count(expected.allowed() ? "allowed" : "denied", current.get(0));
                promise(expected.retryAfterMicros());
                promise(expected.delayMicros());
                promise(expected.resetAfterMicros());
                if (!expected.allowed() && permits > 0) {
                    promiseForgetting();
                }
            }
        }
    }

    /** Counts an operation on a key that is not fresh. */
    private void count(String verb, String key, long permits) {
        if (permits > 0 && model.peek(key, 0, time.micros()).resetAfterMicros() > 0) {
            coverage.count(verb, current.get(0));
        }
    }

    private void note(String operation) {
        history.add(time.micros() + " " + operation);
        if (history.size() > Integer.getInteger("sluice.history", 30)) {
            history.remove(0);
        }
    }

    private void promise(long micros) {
        if (micros > 0 && micros < YEAR) {
            promised.add(time.micros() + micros);
            if (promised.size() > 20) {
                promised.remove(0);
            }
        }
    }

    /** A lockout may have begun, and was doubled some times. Its escalation is forgotten a day after its end. */
    private void promiseForgetting() {
        for (Limit limit : current) {
            if (limit instanceof Lockout lockout && lockout.escalate() > 0) {
                coverage.count("escalation", current.get(0));
                long length = (lockout.duration().toNanos() / 1000) << random.nextInt(lockout.escalate() + 1);
                if (length < YEAR) {
                    forgettings.add(time.micros() + length + DAY);
                }
                if (forgettings.size() > 5) {
                    forgettings.remove(0);
                }
            }
        }
    }

    private void reserve(String key, long permits) {
        long atMost = random.nextBoolean() ? random.nextLong(1, 4_000_000) : 1L << random.nextInt(52);
        ModelReservation modelled = model.reserve(key, permits, atMost, time.micros());
        Reservation reservation = limiter.reserve(key, permits, micros(atMost));
        assertThat(reservation.granted()).as("reserve(%s, %s)", key, permits).isEqualTo(modelled.granted());
        compared++;
        if (modelled.granted()) {
            coverage.count("reserve", current.get(0));
            assertThat(reservation.delay()).as("delay").isEqualTo(micros(modelled.delayMicros()));
            promise(modelled.delayMicros());
            reservations.add(new Pair(reservation, modelled));
        } else if (modelled.retryAfterMicros() != Decision.NEVER) {
            assertThat(reservation.retryAfter()).as("retryAfter").isEqualTo(micros(modelled.retryAfterMicros()));
        }
    }

    private static Duration micros(long micros) {
        return Duration.ofSeconds(micros / 1_000_000, micros % 1_000_000 * 1000);
    }

    private void pause(String key) {
        long duration = random.nextBoolean() ? random.nextLong(4_000_000) : 1L << random.nextInt(45);
        note("pause " + key + " for " + duration);
        coverage.count("pause", current.get(0));
        limiter.pause(key, micros(duration));
        model.pause(key, duration, time.micros());
        promise(duration);
    }

    private void cancel() {
        if (!reservations.isEmpty()) {
            Pair pair = reservations.get(random.nextInt(reservations.size()));
            note("cancel " + pair.modelled());
            cancelled.add(pair.modelled());
            coverage.count("cancel", current.get(0));
            pair.reservation().cancel();
            model.cancel(pair.modelled(), time.micros());
            if (random.nextBoolean()) {
                reservations.remove(pair);
            }
        }
    }

    private void settle() {
        if (!reservations.isEmpty()) {
            Pair pair = reservations.remove(random.nextInt(reservations.size()));
            long actual = random.nextInt(4) == 0
                    ? permits()
                    : random.nextLong(pair.modelled().permits() + 1);
            note("settle " + pair.modelled() + " with " + actual);
            if (!cancelled.contains(pair.modelled())) {
                coverage.count("settle", current.get(0));
                pair.reservation().settle(actual);
                model.settle(pair.modelled(), actual, time.micros());
            }
        }
    }

    private void update() {
        List<Limit> next = new ArrayList<>();
        for (Limit limit : current) {
            next.add(random.nextInt(3) == 0 ? limits.any() : limits.like(limit));
        }
        if (several) {
            changeTogether(next);
        }
        if (backward) {
            // The design does not define what a reservation is worth after an update and a step back in time.
            reservations.clear();
        }
        coverage.count("update", current.get(0));
        coverage.countUpdate(current.get(0), next.get(0));
        current = List.copyOf(next);
        note("update to " + current);
        Limit[] more = current.subList(1, current.size()).toArray(Limit[]::new);
        limiter.update(current.get(0), more);
        model.update(time.micros(), current.get(0), more);
    }

    /** Sometimes a limit stays, or goes, or comes, and the limits are in another order. */
    private void changeTogether(List<Limit> next) {
        for (int i = 0; i < next.size(); i++) {
            if (random.nextInt(3) == 0) {
                next.set(i, current.get(i));
            }
        }
        if (random.nextInt(3) == 0 && next.size() > 1) {
            next.remove(random.nextInt(next.size()));
        } else if (random.nextInt(2) == 0 && next.size() < MOST_LIMITS) {
            next.add(limits.any());
        }
        if (random.nextBoolean()) {
            Collections.shuffle(next, random);
        }
    }

    private long permits() {
        long capacity = Math.min(current.get(0).capacity(), 1L << 50);
        return switch (random.nextInt(12)) {
            case 0 -> 0;
            case 1 -> capacity;
            case 2 -> capacity + 1;
            case 3 -> Math.max(0, capacity - 1);
            case 4, 5 -> random.nextLong(capacity + 1);
            case 6, 7 -> Math.max(1, capacity / 3);
            default -> 1;
        };
    }

    private void move() {
        long now = time.micros();
        switch (random.nextInt(22)) {
            case 0, 1, 2, 3, 4, 5, 6 -> {}
            case 7, 8 -> time.moveTo(now + random.nextInt(5));
            case 9, 10 ->
                time.moveTo(
                        now + random.nextLong(1, 2 + current.get(0).refillTime().toNanos() / 1000));
            case 11 -> time.moveTo(now + random.nextLong(10_000_000));
            case 12 -> {
                long period = Math.max(1, current.get(0).refillTime().toNanos() / 1000);
                time.moveTo((now / period + 1) * period - 1 + random.nextInt(3));
            }
            case 13 -> {
                if (random.nextInt(20) == 0) {
                    time.moveTo(now + random.nextLong(5 * YEAR));
                } else if (backward) {
                    time.moveTo(now - (1L << random.nextInt(40)));
                }
            }
            case 14 -> moveToCalendarBound();
            case 15 -> {
                if (!forgettings.isEmpty()) {
                    coverage.count("forgetting", current.get(0));
                    time.moveTo(forgettings.get(random.nextInt(forgettings.size())) - 1 + random.nextInt(3));
                }
            }
            default -> {
                if (!promised.isEmpty()) {
                    time.moveTo(promised.get(random.nextInt(promised.size())) - 1 + random.nextInt(3));
                }
            }
        }
    }

    private void moveToCalendarBound() {
        for (Limit limit : current) {
            if (RandomLimits.rule(limit) instanceof CalendarWindow window) {
                coverage.count("calendar bound", current.get(0));
                time.moveTo(window.windowAt(time.micros()).end() - 1 + random.nextInt(3));
                return;
            }
        }
    }

    /** The time of a trace. It runs no scheduled tasks, so a trace gives the same result each time. */
    static final class TraceTime implements TimeSource {
        /** Times stay below 2^53. */
        private static final long LATEST = (1L << 53) - 1;

        private final boolean monotonic;
        private volatile long now;

        TraceTime(long now, boolean monotonic) {
            this.now = now;
            this.monotonic = monotonic;
        }

        void moveTo(long micros) {
            long within = Math.max(0, Math.min(micros, LATEST));
            now = monotonic ? Math.max(now, within) : within;
        }

        @Override
        public long micros() {
            return now;
        }

        @Override
        public boolean isMonotonic() {
            return monotonic;
        }

        @Override
        public Runnable schedule(long delayMicros, Runnable task) {
            return () -> {};
        }
    }
}
