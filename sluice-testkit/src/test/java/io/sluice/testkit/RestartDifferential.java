package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.Reservation;
import io.sluice.memory.MemoryStore;
import io.sluice.spi.EnteredCharges;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;

/*
 * One store lives through the whole trace. The other store is saved repeatedly, and a new store, with another start of its
 * steady clock, continues from the snapshot. Meanwhile time passes, or the wall clock is set back, and sometimes the limits
 * change. Both must decide every request alike.
 */
/** A differential test: runs a random trace on a store that lives on, and on a store that is restarted. */
final class RestartDifferential {
    private static final String[] KEYS = {"a", "b", "\ud800\u00e4\u20ac"};
    private static final int HOLD = 20;
    private static final long YEAR = Duration.ofDays(365).toNanos() / 1000;

    private final Random random;
    private final RandomLimits limits;
    private final boolean backward;
    private final TwoClocks livingTime;
    private final MemoryStore livingStore;
    private final RateLimiter living;
    private final List<Long> promised = new ArrayList<>();
    private final List<Pair> held = new ArrayList<>();
    private TwoClocks restartedTime;
    private MemoryStore restartedStore;
    private RateLimiter restarted;
    private List<Limit> current;

    /** What is held on both stores. */
    private record Pair(String living, String restarted) {}

    private RestartDifferential(long seed, String kind, boolean backward) {
        this.random = new Random(seed ^ ((long) kind.hashCode() << 32));
        this.limits = new RandomLimits(random);
        this.backward = backward;
        long wall = random.nextLong(1_500_000_000_000_000L, 2_000_000_000_000_000L);
        this.livingTime = new TwoClocks(wall + random.nextLong(1_000_000_000), wall, !backward);
        this.restartedTime = new TwoClocks(anywhere(), wall, !backward);
        this.current = random.nextInt(3) == 0 ? List.of(limits.of(kind), limits.any()) : List.of(limits.of(kind));
        this.livingStore = MemoryStore.builder().time(livingTime).build();
        this.restartedStore = MemoryStore.builder().time(restartedTime).build();
        this.living = limiter(livingStore);
        this.restarted = limiter(restartedStore);
    }

    /** Runs one trace and returns the number of restarts. */
    static int run(long seed, String kind, boolean backward, int steps) {
        RestartDifferential trace = new RestartDifferential(seed, kind, backward);
        int restarts = 0;
        for (int step = 0; step < steps; step++) {
            try {
                if (trace.random.nextInt(12) == 0) {
                    trace.restart();
                    restarts++;
                }
                trace.step();
            } catch (IOException | RuntimeException | AssertionError e) {
                String replay = "seed " + seed + ", kind " + kind + ", backward " + backward + ", step " + step;
                throw new AssertionError(replay + ", limits " + trace.current + ": " + e.getMessage(), e);
            }
        }
        return restarts;
    }

    private long anywhere() {
        return random.nextLong(10 * YEAR, 50 * YEAR);
    }

    private RateLimiter limiter(MemoryStore store) {
        return store.limiter("limiter", current.get(0), more());
    }

    private Limit[] more() {
        return current.subList(1, current.size()).toArray(Limit[]::new);
    }

    private void restart() throws IOException {
        ByteArrayOutputStream saved = new ByteArrayOutputStream();
        restartedStore.save(saved);
        forgetFresh();
        boolean setBack = random.nextInt(4) == 0;
        if (setBack) {
            livingTime.move(0, -random.nextLong(1, 1L << (1 + random.nextInt(35))));
        } else {
            livingTime.move(someTime());
        }
        restartedTime = new TwoClocks(anywhere(), livingTime.wallMicros(), !backward);
        restartedStore = MemoryStore.builder().time(restartedTime).build();
        restartedStore.restore(new ByteArrayInputStream(saved.toByteArray()));
        forgetFresh();
        if (random.nextInt(3) == 0) {
            List<Limit> next = new ArrayList<>();
            current.forEach(limit -> next.add(random.nextBoolean() ? limits.any() : limits.like(limit)));
            current = List.copyOf(next);
            living.update(current.get(0), more());
        }
        restarted = limiter(restartedStore);
    }

    /** A restart drops fresh keys. The store that lives on drops them when it sweeps or saves. */
    private void forgetFresh() throws IOException {
        livingStore.save(OutputStream.nullOutputStream());
    }

    private void step() {
        move();
        String key = KEYS[random.nextInt(KEYS.length)];
        long permits = permits();
        int verb = random.nextInt(20);
        boolean uses = verb == 1 || verb >= 4;
        switch (uses && permits > 0 && living.limitsConcurrency() ? HOLD : verb) {
            case HOLD -> hold(key, permits);
            case 0 -> {
                living.refund(key, permits);
                restarted.refund(key, permits);
            }
            case 1 -> {
                living.penalize(key, permits);
                restarted.penalize(key, permits);
            }
            case 2 -> {
                living.reset(key);
                restarted.reset(key);
            }
            case 3 -> {
                current = current.stream().map(limits::like).toList();
                living.update(current.get(0), more());
                restarted.update(current.get(0), more());
            }
            case 4, 5, 6 -> {
                Duration atMost = Duration.ofNanos(1000L << random.nextInt(40));
                Reservation expected = living.reserve(key, permits, atMost);
                Reservation actual = restarted.reserve(key, permits, atMost);
                assertThat(actual.granted()).as("reserve").isEqualTo(expected.granted());
                if (expected.granted()) {
                    assertThat(actual.delay()).as("delay").isEqualTo(expected.delay());
                }
            }
            default -> {
                Decision expected = living.check(key, permits);
                assertThat(restarted.check(key, permits))
                        .as("check(%s, %s)", key, permits)
                        .isEqualTo(expected);
                promise(expected.retryAfterMicros());
                promise(expected.resetAfterMicros());
            }
        }
        for (String other : KEYS) {
            assertThat(restarted.peek(other, permits)).as("peek(%s)", other).isEqualTo(living.peek(other, permits));
        }
    }

    /** Enters, renews or leaves. The text that names what is held still works after a restart. */
    private void hold(String key, long permits) {
        int verb = held.isEmpty() ? 0 : random.nextInt(10);
        if (verb < 6) {
            EnteredCharges expected = Stages.get(livingStore.enterAsync(List.of(living.charge(key, permits))));
            EnteredCharges actual = Stages.get(restartedStore.enterAsync(List.of(restarted.charge(key, permits))));
            assertThat(actual.decisions()).as("enter").isEqualTo(expected.decisions());
            if (expected.holds() != null && actual.holds() != null) {
                held.add(new Pair(expected.holds(), actual.holds()));
            }
            promise(expected.decisions().each().get(0).retryAfterMicros());
            promise(expected.decisions().each().get(0).resetAfterMicros());
            return;
        }
        Pair any = held.get(random.nextInt(held.size()));
        if (verb < 8) {
            assertThat(ended(restartedStore.renewAsync(any.restarted)))
                    .as("renew has ended")
                    .isEqualTo(ended(livingStore.renewAsync(any.living)));
        } else {
            held.remove(any);
            assertThat(ended(restartedStore.releaseAsync(any.restarted)))
                    .as("release has ended")
                    .isEqualTo(ended(livingStore.releaseAsync(any.living)));
        }
    }

    private static boolean ended(CompletionStage<Void> stage) {
        return stage.toCompletableFuture().isCompletedExceptionally();
    }

    private void promise(long micros) {
        if (micros > 0 && micros < YEAR) {
            promised.add(livingTime.micros() + micros);
            if (promised.size() > 10) {
                promised.remove(0);
            }
        }
    }

    private long permits() {
        long capacity = Math.min(current.get(0).capacity(), 1L << 50);
        return switch (random.nextInt(8)) {
            case 0 -> capacity;
            case 1 -> capacity + 1;
            case 2, 3 -> random.nextLong(capacity + 1);
            case 4 -> Math.max(1, capacity / 3);
            default -> 1;
        };
    }

    private void move() {
        switch (random.nextInt(8)) {
            case 0, 1 -> moveBoth(random.nextInt(5));
            case 2, 3, 4 -> moveBoth(someTime());
            case 5 -> {
                if (backward) {
                    moveBoth(-(1L << random.nextInt(36)));
                }
            }
            default -> {}
        }
    }

    private void moveBoth(long micros) {
        livingTime.move(micros);
        restartedTime.move(micros);
    }

    /** A step of up to a year, often to one microsecond before or after a promised time. */
    private long someTime() {
        long promise = promised.isEmpty()
                ? 0
                : promised.get(random.nextInt(promised.size())) - livingTime.micros() - 1 + random.nextInt(3);
        if (promise > 0 && random.nextInt(4) > 0) {
            return promise;
        }
        return random.nextInt(30) == 0 ? random.nextLong(YEAR) : random.nextLong(1L << (1 + random.nextInt(34)));
    }
}
