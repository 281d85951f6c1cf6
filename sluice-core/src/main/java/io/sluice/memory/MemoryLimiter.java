package io.sluice.memory;

import io.sluice.Decision;
import io.sluice.Gate;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.Reservation;
import io.sluice.Store;
import io.sluice.TimeSource;
import io.sluice.exact.Exact;
import io.sluice.memory.keys.Hold;
import io.sluice.memory.keys.Holds;
import io.sluice.memory.keys.Keys;
import io.sluice.memory.keys.Receipt;
import io.sluice.memory.keys.Space;
import io.sluice.memory.state.AtomicBucket;
import io.sluice.memory.state.Moment;
import io.sluice.memory.state.Terms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A limiter of a {@link MemoryStore}. */
final class MemoryLimiter implements RateLimiter, MemoryChargeable {
    private final MemoryStore store;
    private final String name;
    private final Keys keys;
    private final TimeSource time;
    private final Waits waits;

    private volatile List<Limit> limits;

    /** One for each limit. Replaced as a whole by {@link #update}. */
    private volatile Space[] spaces;

    /** How many keys were evicted of limits that are no more. */
    private volatile long evictionsBefore;

    /** Of what was put in force by {@link Store#enforce}. Only touched by who holds the store's lock for that. */
    private long revision;

    /** Whether it is only known from a snapshot: nobody in this process has asked for it yet. */
    private volatile boolean unasked;

    MemoryLimiter(MemoryStore store, String name, List<Limit> limits, Keys keys, TimeSource time) {
        this.store = store;
        this.name = name;
        this.keys = keys;
        this.time = time;
        this.limits = limits;
        this.spaces = limits.stream().map(limit -> new Space(limit, keys, time)).toArray(Space[]::new);
        this.waits = new Waits(this, time);
    }

    /** From a snapshot. */
    MemoryLimiter(MemoryStore store, SnapshotLimiter saved, Keys keys, TimeSource time) {
        this.store = store;
        this.name = saved.name();
        this.keys = keys;
        this.time = time;
        this.limits = saved.limits();
        this.spaces = saved.spaces(keys, time);
        this.waits = new Waits(this, time);
        this.unasked = true;
    }

    private MemoryLimiter(MemoryLimiter closed) {
        store = closed.store;
        name = closed.name;
        keys = closed.keys;
        time = closed.time;
        limits = closed.limits;
        spaces = closed.spaces;
        unasked = closed.unasked;
        revision = closed.revision;
        evictionsBefore = closed.evictionsBefore;
        waits = new Waits(this, time);
    }

    /** This limiter if it is open, else one that goes on with its state. */
    MemoryLimiter open() {
        return waits.isClosed() ? new MemoryLimiter(this) : this;
    }

    /** This limiter, in use from now on: who asks first for what is only known from a snapshot brings its limits. */
    MemoryLimiter askedFor(List<Limit> wanted) {
        if (unasked) {
            unasked = false;
            if (!limits.equals(wanted)) {
                waits.exclusively(() -> replaceLimits(wanted));
            }
        }
        return this;
    }

    /** Whether anybody in this process has asked for it. */
    boolean isAsked() {
        return !unasked;
    }

    /** Nobody will ask for it any more. */
    void retire() {
        for (Space space : spaces) {
            space.retire();
        }
    }

    /** How many keys lost state that was not fresh. */
    long evictions() {
        return evictionsBefore
                + Arrays.stream(spaces).mapToLong(Space::evictions).sum();
    }

    /** Whether there is nothing to remember of it: only known from a snapshot, and all its keys have become fresh. */
    boolean isForgotten() {
        return unasked && Arrays.stream(spaces).allMatch(space -> space.cells.isEmpty());
    }

    /** The limits, and the spaces and their terms, as of one moment. */
    record InForce(List<Limit> limits, List<Space> spaces, List<Terms> terms) {}

    InForce inForce() {
        List<InForce> now = new ArrayList<>(1);
        waits.exclusively(() -> now.add(new InForce(
                limits, List.of(spaces), Arrays.stream(spaces).map(Space::terms).toList())));
        return now.get(0);
    }

    @Override
    public MemoryStore store() {
        return store;
    }

    @Override
    public Space[] spaces() {
        return spaces;
    }

    @Override
    public String kept(String key) {
        return key;
    }

    @Override
    public @Nullable Terms brought(@Nullable Limit own) {
        return null;
    }

    @Override
    public void gaveBack(String key) {
        waits.changed(key);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Limit> limits() {
        return limits;
    }

    @Override
    public Gate forKey(String key) {
        return new MemoryGate(this, Objects.requireNonNull(key, "key"), time);
    }

    /** The bucket of a key, where a single word holds it. */
    @Nullable
    AtomicBucket bucket(String key) {
        Space[] all = spaces;
        boolean may = all.length == 1 && all[0].terms().atomic;
        Objects.requireNonNull(key, "key");
        return may && all[0].cells.get(key) instanceof AtomicBucket bucket ? bucket : null;
    }

    @Override
    public boolean tryAcquire(String key, long permits) {
        AtomicBucket bucket = bucket(key);
        if (bucket != null && permits > 0) {
            int answer = bucket.tryAcquire(permits, time);
            if (answer != AtomicBucket.GONE) {
                return answer == AtomicBucket.ALLOWED;
            }
        }
        requirePermits(permits);
        try (Holds holds = Holds.of(spaces, key, time)) {
            boolean allowed = holds.judge(permits);
            if (allowed && holds.delay() > 0) {
                return false;
            }
            holds.settle(allowed);
            return allowed;
        }
    }

    @Override
    public Decision check(String key, long permits) {
        requirePermits(permits);
        AtomicBucket bucket = bucket(key);
        Decision decision = bucket == null ? null : bucket.check(permits, time);
        if (decision != null) {
            return decision;
        }
        try (Holds holds = Holds.of(spaces, key, time)) {
            holds.settle(holds.judge(permits));
            return holds.decision();
        }
    }

    @Override
    public Decision peek(String key, long permits) {
        requirePermits(permits);
        try (Holds holds = Holds.toLook(spaces, key, time)) {
            holds.judge(permits);
            return holds.decision();
        }
    }

    @Override
    public void acquire(String key, long permits) throws InterruptedException {
        requireGranted(waits.get(key, () -> start(key, permits, Exact.LONGEST)), key, permits);
    }

    @Override
    public boolean tryAcquire(String key, long permits, Duration timeout) throws InterruptedException {
        return waits.get(key, () -> start(key, permits, Exact.microsUp("timeout", timeout)))
                .granted();
    }

    private CompletableFuture<MemoryReservation> start(String key, long permits, long timeoutMicros) {
        requirePermits(permits);
        Objects.requireNonNull(key, "key");
        return waits.start(key, permits, timeoutMicros);
    }

    /** Who waits without a timeout is refused only what can never be had. */
    private void requireGranted(MemoryReservation reservation, String key, long permits) {
        if (!reservation.granted()) {
            throw new IllegalArgumentException("limiter \"" + name + "\", key \"" + key + "\": " + permits
                    + " permits can never be had (expected: at most what " + limits() + " has)");
        }
    }

    /** The answer to who cannot be given permits in time. */
    MemoryReservation refused(String key, long permits, long waitMicros) {
        return new MemoryReservation(this, key, permits, false, waitMicros, List.of());
    }

    @Override
    public MemoryReservation reserve(String key, long permits, Duration atMost) {
        requirePermits(permits);
        return reserve(key, permits, Exact.microsUp("atMost", atMost));
    }

    MemoryReservation reserve(String key, long permits, long atMostMicros) {
        try (Holds holds = Holds.of(spaces, key, time)) {
            long wait = holds.waitToUse(permits);
            boolean granted = wait == 0 || (wait <= atMostMicros && holds.canReserve(permits));
            List<Receipt> receipts = granted ? holds.takeByForce(permits) : List.of();
            return new MemoryReservation(this, key, permits, granted, wait, receipts);
        }
    }

    /** How long to wait for permits, as things stand. */
    long waitFor(String key, long permits) {
        try (Holds holds = Holds.toLook(spaces, key, time)) {
            return holds.waitToUse(permits);
        }
    }

    void giveBack(String key, long permits, List<Receipt> receipts) {
        receipts.forEach(receipt -> receipt.giveBack(key, permits, 0, time));
        waits.changed(key);
    }

    @Override
    public void refund(String key, long permits) {
        requirePermits(permits);
        try (Holds holds = Holds.toLook(spaces, key, time)) {
            holds.refund(permits);
        }
        waits.changed(key);
    }

    @Override
    public void penalize(String key, long permits) {
        requirePermits(permits);
        try (Holds holds = Holds.of(spaces, key, time)) {
            holds.takeByForce(permits);
        }
    }

    @Override
    public void pause(String key, Duration duration) {
        Objects.requireNonNull(key, "key");
        long micros = Exact.microsUp("duration", duration);
        if (micros > 0) {
            Moment moment = new Moment(time);
            for (Space space : spaces) {
                space.pause(key, micros, moment);
            }
        }
    }

    /** How long a key is still paused. */
    long pauseRest(String key) {
        try (Holds holds = Holds.toLook(spaces, key, time)) {
            return holds.pauseRest();
        }
    }

    @Override
    public void reset(String key) {
        Objects.requireNonNull(key, "key");
        for (Space space : spaces) {
            Hold hold = space.look(key);
            if (hold.cell != null) {
                space.remove(hold);
            }
        }
        waits.changed(key);
    }

    @Override
    public void update(Limit limit, Limit... more) {
        waits.exclusively(() -> replaceLimits(MemoryStore.allOf(limit, more)));
        changed();
    }

    long revision() {
        return revision;
    }

    void revision(long revision) {
        this.revision = revision;
    }

    /** Gets an update to one limit ready, as far as that can be done ahead. {@link #changed} has to follow. */
    Runnable change(Limit limit) {
        Terms newer = new Terms(limit, time);
        List<Limit> one = List.of(limit);
        return () -> waits.exclusively(() -> {
            Space[] now = spaces;
            if (now.length == 1) {
                now[0].update(newer);
                limits = one;
            } else {
                replaceLimits(one);
            }
        });
    }

    /** Other limits are in force: who waits may be served. */
    void changed() {
        waits.allChanged();
    }

    /** A limit that stays keeps its own state; the others take over that of a limit that goes, in order. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // by one thread at a time
    private void replaceLimits(List<Limit> newer) {
        List<Space> left = new ArrayList<>(List.of(spaces));
        Space[] now = new Space[newer.size()];
        for (int i = 0; i < now.length; i++) {
            Limit limit = newer.get(i);
            for (Space space : left) {
                if (space.terms().limit.equals(limit)) {
                    now[i] = space;
                    left.remove(space);
                    break;
                }
            }
        }
        for (int i = 0; i < now.length; i++) {
            if (now[i] == null && !left.isEmpty()) {
                now[i] = left.remove(0);
                now[i].update(newer.get(i));
            } else if (now[i] == null) {
                now[i] = new Space(newer.get(i), keys, time);
            }
        }
        // Keys are always held in the order of the spaces' numbers.
        Arrays.sort(now, Comparator.comparingInt(space -> space.id));
        limits = newer;
        evictionsBefore += left.stream().mapToLong(Space::evictions).sum();
        spaces = now;
        left.forEach(Space::retire);
    }

    @Override
    public CompletionStage<Boolean> tryAcquireAsync(String key, long permits) {
        return now(() -> tryAcquire(key, permits));
    }

    @Override
    public CompletionStage<Decision> checkAsync(String key, long permits) {
        return now(() -> check(key, permits));
    }

    @Override
    public CompletionStage<Decision> peekAsync(String key, long permits) {
        return now(() -> peek(key, permits));
    }

    @Override
    public CompletionStage<Void> acquireAsync(String key, long permits) {
        return waits.async(() -> start(key, permits, Exact.LONGEST), reservation -> {
            requireGranted(reservation, key, permits);
            return null;
        });
    }

    @Override
    public CompletionStage<Boolean> tryAcquireAsync(String key, long permits, Duration timeout) {
        return waits.async(() -> start(key, permits, Exact.microsUp("timeout", timeout)), MemoryReservation::granted);
    }

    @Override
    public CompletionStage<Reservation> reserveAsync(String key, long permits, Duration atMost) {
        return now(() -> reserve(key, permits, atMost));
    }

    @Override
    public CompletionStage<Void> refundAsync(String key, long permits) {
        return run(() -> refund(key, permits));
    }

    @Override
    public CompletionStage<Void> penalizeAsync(String key, long permits) {
        return run(() -> penalize(key, permits));
    }

    @Override
    public CompletionStage<Void> resetAsync(String key) {
        return run(() -> reset(key));
    }

    @Override
    public CompletionStage<Void> pauseAsync(String key, Duration duration) {
        return run(() -> pause(key, duration));
    }

    @Override
    public CompletionStage<Void> updateAsync(Limit limit, Limit... more) {
        return run(() -> update(limit, more));
    }

    @Override
    public void close() {
        waits.close();
    }

    private static void requirePermits(long permits) {
        if (permits < 0) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: >= 0)");
        }
    }

    /** In memory nothing blocks, so the answer is there at once; what is thrown fails the stage all the same. */
    private static <T> CompletionStage<T> now(Supplier<T> answer) {
        try {
            return CompletableFuture.completedFuture(answer.get());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @SuppressWarnings("NullAway") // a stage of nothing completes with null
    private static CompletionStage<Void> run(Runnable task) {
        return now(() -> {
            task.run();
            return null;
        });
    }
}
