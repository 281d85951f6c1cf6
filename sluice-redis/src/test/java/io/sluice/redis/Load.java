package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.Reservation;
import io.sluice.testkit.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BinaryOperator;

/*
 * A call must return within its deadline plus 50 ms. On a busy machine, a thread may be late because it does not get a
 * processor, which is not the fault of the store. So the load also measures two other times. The first is how long a caller
 * could run but had no processor; that is subtracted. The second is how late threads are that only sleep for a millisecond;
 * the threads for which a caller waits may be as late.
 */
/**
 * Calls limiters in a loop, with every kind of answer without Redis. Counts the answers, and records times and exceptions.
 *
 * <p>One key of each limiter is used with {@code check} only, so that the charged permits can be compared with the allowed
 * requests. All other verbs use other keys.
 */
final class Load implements AutoCloseable {
    /** The number of callers, which is the most calls that can be on their way. */
    static final int CALLERS = 8;

    private static final int CONTROLS = 2;
    private static final List<OnFailure> MODES = List.of(OnFailure.values());

    static final long CAPACITY = 50_000;

    /** Refills one permit a day: not while a test runs. */
    static final Limit LIMIT = Limit.parse("token-bucket 1/d burst " + CAPACITY);

    /** The tolerance beyond the deadline. */
    static final Duration GRACE = Duration.ofMillis(50);

    private static final Duration WAIT = Duration.ofMillis(30);
    private static final Duration BACK_WITHIN = Duration.ofSeconds(2);
    private static final long PAUSE_NANOS = 1_000_000;

    static {
        warmUp();
    }

    private final RedisStore store;
    private final BinaryOperator<String> keys;
    private final Map<OnFailure, RateLimiter> limiters = new EnumMap<>(OnFailure.class);
    private final Map<OnFailure, Told> told = new EnumMap<>(OnFailure.class);
    private final Map<String, AtomicLong> longest = new ConcurrentHashMap<>();
    private final Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong rounds = new AtomicLong();
    private final AtomicLong noise = new AtomicLong();
    private volatile boolean stopping;

    /** The answers to {@code check} of one limiter. */
    static final class Told {
        final AtomicLong admitted = new AtomicLong();
        final AtomicLong denied = new AtomicLong();
        final AtomicLong degraded = new AtomicLong();

        /** When the latest call began that Redis answered. */
        final AtomicLong latestGood = new AtomicLong(Long.MIN_VALUE);

        @Override
        public String toString() {
            return admitted + " admitted, " + denied + " denied, " + degraded + " degraded";
        }
    }

    private Load(RedisStore store, BinaryOperator<String> keys) {
        this.store = store;
        this.keys = keys;
        for (OnFailure how : OnFailure.values()) {
            limiters.put(how, store.limiter(name(how), LimiterOptions.onFailure(how), LIMIT));
            told.put(how, new Told());
        }
    }

    /** Starts, and waits until Redis answers the callers of every limiter. */
    static Load on(RedisStore store) {
        return on(store, (limiter, key) -> key);
    }

    /** @param keys which key to use, of a limiter, for a key that has been named */
    static Load on(RedisStore store, BinaryOperator<String> keys) {
        Load load = new Load(store, keys);
        for (int i = 0; i < CALLERS; i++) {
            load.start("caller-" + i, i, load::call);
        }
        for (int i = 0; i < CONTROLS; i++) {
            load.start("control-" + i, 0, load::idle);
        }
        load.awaitBack(System.nanoTime());
        load.awaitRounds();
        return load;
    }

    /** Warms up the JVM, which is not measured. */
    private static void warmUp() {
        try (RedisStore nowhere = RedisStore.connect("redis://127.0.0.1:1");
                Load load = new Load(nowhere, (limiter, key) -> key)) {
            for (int i = 0; i < 2_000; i++) {
                load.call(i);
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitRounds() {
        long enough = rounds.get() + 100 * CALLERS;
        Eventually.within(Duration.ofSeconds(10), () -> "callers are warm", () -> rounds.get() >= enough);
        longest.clear();
        noise.set(0);
    }

    static String name(OnFailure how) {
        return how.name().toLowerCase(Locale.ROOT);
    }

    private interface Loop {
        void once(int round) throws Exception;
    }

    private void start(String name, int from, Loop loop) {
        Thread thread = new Thread(
                () -> {
                    for (int i = from; !stopping; i++) {
                        try {
                            loop.once(i);
                        } catch (Exception | Error e) {
                            thrown.add(e);
                        }
                        LockSupport.parkNanos(PAUSE_NANOS);
                    }
                },
                name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    /** Measures how late the machine wakes a thread that sleeps. */
    private void idle(int unused) {
        long begin = System.nanoTime();
        LockSupport.parkNanos(PAUSE_NANOS);
        long overshoot = System.nanoTime() - begin - PAUSE_NANOS;
        noise.accumulateAndGet(overshoot, Math::max);
    }

    private void call(int round) throws Exception {
        rounds.incrementAndGet();
        OnFailure how = MODES.get(round % MODES.size());
        RateLimiter limiter = limiter(how);
        switch (round / MODES.size() % 6) {
            case 0 -> timed("tryAcquire", () -> limiter.tryAcquire(key(how, "tried"), 1));
            case 1 -> timed("tryAcquire with timeout", () -> limiter.tryAcquire(key(how, "waited"), 1, WAIT));
            case 2 -> {
                Reservation reservation = timed("reserve", () -> limiter.reserve(key(how, "reserved"), 1));
                timed("cancel", () -> {
                    reservation.cancel();
                    return true;
                });
            }
            case 3 -> {
                Decision decision = timed("check", () -> limiter.check(key(how, "refunded"), 1));
                if (decision.allowed() && !decision.degraded()) {
                    timed("refund", () -> {
                        limiter.refund(key(how, "refunded"), 1);
                        return true;
                    });
                }
            }
            default -> check(how, limiter);
        }
    }

    private void check(OnFailure how, RateLimiter limiter) throws Exception {
        long begin = System.nanoTime();
        Decision decision = timed("check", () -> limiter.check(key(how, "counted"), 1));
        Told told = told(how);
        if (!decision.degraded()) {
            (decision.allowed() ? told.admitted : told.denied).incrementAndGet();
            told.latestGood.accumulateAndGet(begin, Math::max);
        } else {
            told.degraded.incrementAndGet();
            if (decision.allowed() == (how == OnFailure.DENY)) {
                thrown.add(new AssertionError(how + " answered " + decision));
            }
        }
    }

    private interface Verb<T> {
        T call() throws Exception;
    }

    private <T> T timed(String verb, Verb<T> call) throws Exception {
        long waited = Processor.waitedNanos();
        long begin = System.nanoTime();
        T answer = call.call();
        long nanos = System.nanoTime() - begin - (Processor.waitedNanos() - waited);
        longest.computeIfAbsent(verb, unused -> new AtomicLong()).accumulateAndGet(nanos, Math::max);
        return answer;
    }

    RateLimiter limiter(OnFailure how) {
        return Objects.requireNonNull(limiters.get(how));
    }

    String key(OnFailure how, String key) {
        return keys.apply(name(how), key);
    }

    Told told(OnFailure how) {
        return Objects.requireNonNull(told.get(how));
    }

    /** Waits until so many calls of every limiter were answered without Redis. */
    void awaitDegraded(long times) {
        Map<OnFailure, Long> before = new EnumMap<>(OnFailure.class);
        told.forEach((how, told) -> before.put(how, told.degraded.get()));
        Eventually.within(
                Duration.ofSeconds(5),
                () -> "every limiter degrades: " + this,
                () -> told.entrySet().stream()
                        .allMatch(entry ->
                                entry.getValue().degraded.get() >= before.getOrDefault(entry.getKey(), 0L) + times));
    }

    /** Fails unless Redis answers, for every limiter, a call that begins within two seconds of that moment. */
    void awaitBack(long sinceNanos) {
        long left = sinceNanos + BACK_WITHIN.toNanos() - System.nanoTime();
        Eventually.within(
                Duration.ofNanos(Math.max(0, left)),
                () -> "every limiter is back on Redis: " + this,
                () -> told.values().stream().allMatch(told -> told.latestGood.get() - sinceNanos >= 0));
    }

    /** Ends the calls, and fails if one of them hangs, took too long, or threw. */
    void stop() {
        stopping = true;
        Eventually.within(
                Duration.ofNanos(store.parts.deadlineNanos).multipliedBy(2).plusSeconds(1),
                () -> "all callers have returned: " + this,
                () -> threads.stream().noneMatch(Thread::isAlive));
        assertThat(thrown).as("thrown; %s", this).isEmpty();
        longest.forEach((verb, nanos) -> {
            // The threads for which a caller waits may have been as late as an idle thread.
            Duration bound = deadline(verb).plus(GRACE).plusNanos(noise.get());
            assertThat(Duration.ofNanos(nanos.get())).as("%s; %s", verb, this).isLessThanOrEqualTo(bound);
        });
    }

    /** A waiting caller may make its last call at the end of its timeout. */
    private Duration deadline(String verb) {
        return verb.equals("tryAcquire with timeout")
                ? Duration.ofNanos(store.parts.deadlineNanos).plus(WAIT)
                : Duration.ofNanos(store.parts.deadlineNanos);
    }

    /** The permits that Redis must charge for the key of {@code check}: those that Redis allowed, and those that the share allowed. */
    long admitted(OnFailure how) {
        long here = how == OnFailure.LOCAL ? told(how).degraded.get() : 0;
        return told(how).admitted.get() + here;
    }

    /** The permits that Redis has charged for the key of {@code check}. */
    long charged(OnFailure how) {
        return charged(how, "counted");
    }

    long charged(OnFailure how, String key) {
        Decision[] seen = new Decision[1];
        Eventually.within(Duration.ofSeconds(2), () -> "Redis tells what it has charged", () -> {
            seen[0] = limiter(how).peek(key(how, key));
            return !seen[0].degraded();
        });
        return CAPACITY - seen[0].remaining();
    }

    @Override
    public void close() {
        stopping = true;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder().append(told);
        longest.forEach((verb, nanos) -> text.append(", ")
                .append(verb)
                .append(' ')
                .append(nanos.get() / 1_000_000)
                .append(" ms"));
        return text.append(", noise ")
                .append(noise.get() / 1_000_000)
                .append(" ms")
                .toString();
    }
}
