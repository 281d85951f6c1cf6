package io.sluice.memory;

import io.sluice.CallLimiter;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.TimeSource;
import io.sluice.memory.keys.Hold;
import io.sluice.memory.keys.Keys;
import io.sluice.memory.keys.Space;
import io.sluice.memory.state.AtomicBucket;
import io.sluice.memory.state.Moment;
import io.sluice.memory.state.Terms;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * The limit of a key is part of its cell. A call that brings an equal one finds everything there, a greedy token bucket in
 * one word. One that brings another judges a copy that is converted as of now, which takes the cell's place only if
 * something is taken. So nothing is kept of a limit but the cells that were charged under it.
 */
/** A call limiter of a {@link MemoryStore}. */
final class MemoryCallLimiter implements CallLimiter, MemoryChargeable {
    final Space space;

    private final MemoryStore store;
    private final String name;
    private final TimeSource time;
    private final Space[] spaces;
    private final RecentTerms recent;
    private volatile boolean asked;

    MemoryCallLimiter(MemoryStore store, String name, Keys keys, TimeSource time) {
        this(store, name, new Space(Limit.unlimited(), keys, time), time);
    }

    /** @param space its keys, which may come from a snapshot; what none of them says is unlimited */
    MemoryCallLimiter(MemoryStore store, String name, Space space, TimeSource time) {
        this.store = store;
        this.name = name;
        this.time = time;
        this.space = space;
        this.spaces = new Space[] {space};
        this.recent = new RecentTerms(time);
    }

    /** Whether anybody in this process has asked for it: it may be known from a snapshot only. */
    boolean isAsked() {
        return asked;
    }

    void askedFor() {
        asked = true;
    }

    @Override
    public String name() {
        return name;
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
        return CallKey.bounded(key);
    }

    @Override
    public Terms brought(@Nullable Limit own) {
        return recent.of(Objects.requireNonNull(own, "limit"));
    }

    /** Nobody waits here. */
    @Override
    public void gaveBack(String key) {}

    @Override
    public Decision check(String key, long permits, Limit limit) {
        Objects.requireNonNull(key, "key");
        requirePermits(permits);
        String kept = kept(key);
        if (space.cells.get(kept) instanceof AtomicBucket bucket && bucket.terms.isOf(limit)) {
            Decision decision = bucket.check(permits, time);
            if (decision != null) {
                return decision;
            }
        }
        Terms brought = brought(limit);
        Hold hold = permits == 0 ? space.look(kept, brought) : space.hold(kept, brought);
        try {
            hold.arrive(new Moment(time));
            hold.judge(permits);
            if (hold.allowed()) {
                hold.take();
            } else {
                hold.deny();
            }
            return hold.decision();
        } finally {
            hold.release();
            space.makeRoom();
        }
    }

    @Override
    public Decision peek(String key, long permits, Limit limit) {
        Objects.requireNonNull(key, "key");
        requirePermits(permits);
        Hold hold = space.look(kept(key), brought(limit));
        try {
            hold.arrive(new Moment(time));
            hold.judge(permits);
            return hold.decision();
        } finally {
            hold.release();
        }
    }

    @Override
    public void refund(String key, long permits) {
        Objects.requireNonNull(key, "key");
        requirePermits(permits);
        Hold hold = space.look(kept(key));
        try {
            hold.arrive(new Moment(time));
            if (hold.state != null) {
                hold.state.refund(permits, hold.t());
                space.lightened(hold.key);
            }
        } finally {
            hold.release();
        }
    }

    @Override
    public void reset(String key) {
        Objects.requireNonNull(key, "key");
        Hold hold = space.look(kept(key));
        if (hold.cell != null) {
            space.remove(hold);
        }
    }

    @Override
    public CompletionStage<Decision> checkAsync(String key, long permits, Limit limit) {
        return now(() -> check(key, permits, limit));
    }

    @Override
    public CompletionStage<Decision> peekAsync(String key, long permits, Limit limit) {
        return now(() -> peek(key, permits, limit));
    }

    @Override
    public CompletionStage<Void> refundAsync(String key, long permits) {
        return run(() -> refund(key, permits));
    }

    @Override
    public CompletionStage<Void> resetAsync(String key) {
        return run(() -> reset(key));
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
