package io.sluice;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A limiter of a {@link MemoryStore}. */
final class MemoryLimiter implements RateLimiter {
    private final MemoryStore store;
    private final String name;
    private final Keys keys;
    private final TimeSource time;
    private final Waits waits;

    /** One for each limit. Replaced as a whole by {@link #update}. */
    private volatile Space[] spaces;

    MemoryLimiter(MemoryStore store, String name, List<Limit> limits, Keys keys, TimeSource time) {
        this.store = store;
        this.name = name;
        this.keys = keys;
        this.time = time;
        this.spaces = limits.stream().map(limit -> new Space(limit, keys, time)).toArray(Space[]::new);
        this.waits = new Waits(this, time);
    }

    MemoryStore store() {
        return store;
    }

    Space[] spaces() {
        return spaces;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Limit> limits() {
        List<Limit> limits = new ArrayList<>();
        for (Space space : spaces) {
            limits.add(space.terms().limit);
        }
        return List.copyOf(limits);
    }

    @Override
    public Gate forKey(String key) {
        return new MemoryGate(this, Objects.requireNonNull(key, "key"), time);
    }

    /** The bucket of a key, where a single word holds it. */
    @Nullable
    AtomicBucket bucket(String key) {
        Space[] all = spaces;
        return all.length == 1 && all[0].cells.get(key) instanceof AtomicBucket bucket ? bucket : null;
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
        waits.get(acquireFuture(key, permits));
    }

    private CompletableFuture<Boolean> acquireFuture(String key, long permits) {
        requirePermits(permits);
        for (Space space : spaces) {
            Terms terms = space.terms();
            if (permits > terms.capacity || terms.rule instanceof Blocked) {
                throw new IllegalArgumentException(
                        at(key) + ": " + permits + " permits can never be had (expected: at most " + terms.capacity
                                + ", the most of " + terms.limit + ")");
            }
        }
        return waits.start(key, permits, Exact.LONGEST);
    }

    @Override
    public boolean tryAcquire(String key, long permits, Duration timeout) throws InterruptedException {
        requirePermits(permits);
        return waits.get(waits.start(key, permits, Exact.microsUp(timeout)));
    }

    @Override
    public MemoryReservation reserve(String key, long permits, Duration atMost) {
        requirePermits(permits);
        return reserve(key, permits, Exact.microsUp(atMost));
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
        receipts.forEach(receipt -> receipt.giveBack(key, permits, time));
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
    public void reset(String key) {
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
        waits.allChanged();
    }

    private void replaceLimits(List<Limit> limits) {
        Space[] old = spaces;
        Space[] now = new Space[limits.size()];
        for (int i = 0; i < now.length; i++) {
            if (i < old.length) {
                now[i] = old[i];
                now[i].update(limits.get(i));
            } else {
                now[i] = new Space(limits.get(i), keys, time);
            }
        }
        spaces = now;
        for (int i = now.length; i < old.length; i++) {
            keys.forget(old[i]);
        }
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
        return waits.async(() -> acquireFuture(key, permits), admitted -> null);
    }

    @Override
    public CompletionStage<Boolean> tryAcquireAsync(String key, long permits, Duration timeout) {
        return waits.async(
                () -> {
                    requirePermits(permits);
                    return waits.start(key, permits, Exact.microsUp(timeout));
                },
                admitted -> admitted);
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
    public CompletionStage<Void> updateAsync(Limit limit, Limit... more) {
        return run(() -> update(limit, more));
    }

    @Override
    public void close() {
        waits.close();
    }

    String at(String key) {
        return "limiter \"" + name + "\", key \"" + key + "\"";
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
