package io.sluice.server.decide;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One of the {@link CallLimits}. Thread-safe, and worth keeping where it is asked often. */
public final class CallLimit {
    private final CallLimits all;
    private final RateLimiter limiter;
    private final Use use;

    CallLimit(CallLimits all, RateLimiter limiter, Limit limit) {
        this.all = all;
        this.limiter = limiter;
        this.use = Use.under(limit);
    }

    /** What enforces it. Asked directly, it knows nothing of what a key used under other limits. */
    public RateLimiter limiter() {
        return limiter;
    }

    /** What enforces it, once what a key used under other limits has come here. Waits for the store. */
    public RateLimiter limiterFor(String key) {
        if (all.several()) {
            check(key, 0);
        }
        return limiter;
    }

    /** {@link #limiterFor} without waiting. */
    public CompletionStage<RateLimiter> limiterForAsync(String key) {
        return all.several()
                // A store that fails here says so again when it decides.
                ? checkAsync(key, 0).handle((unused, failure) -> limiter)
                : CompletableFuture.completedFuture(limiter);
    }

    /** Takes permits if they are there. Waits for the store, if that is one to wait for. */
    public Decision check(String key, long permits) {
        if (!all.several()) {
            return limiter.check(key, permits);
        }
        // Who comes while a key's use is on its way would find it nowhere.
        synchronized (all.lockOf(key)) {
            Decision decision = limiter.check(key, permits);
            return use.wasNone(decision, permits) ? checkWithOthers(decision, key, permits) : decision;
        }
    }

    /** {@link #check} without waiting. */
    public CompletionStage<Decision> checkAsync(String key, long permits) {
        CompletionStage<Decision> checked = limiter.checkAsync(key, permits);
        if (!all.several()) {
            return checked;
        }
        return checked.thenCompose(decision -> use.wasNone(decision, permits)
                ? checkWithOthersAsync(decision, key, permits)
                : CompletableFuture.completedFuture(decision));
    }

    private Decision checkWithOthers(Decision first, String key, long permits) {
        CallLimit[] recent = all.recent(this);
        long used = usedIn(recent, key);
        if (used == 0) {
            return first;
        }
        // Forced first, given back then: at no moment is more free than there should be.
        limiter.penalize(key, use.carried(used));
        limiter.refund(key, permits);
        if (use.holds(used)) {
            for (CallLimit other : recent) {
                if (other != this) {
                    other.limiter.reset(key);
                }
            }
        }
        return limiter.check(key, permits);
    }

    private long usedIn(CallLimit[] recent, String key) {
        long used = 0;
        for (CallLimit other : recent) {
            if (other != this) {
                used = Math.max(used, other.use.of(other.limiter.peek(key)));
            }
        }
        return used;
    }

    private CompletionStage<Decision> checkWithOthersAsync(Decision first, String key, long permits) {
        List<CallLimit> others = new ArrayList<>(List.of(all.recent(this)));
        others.remove(this);
        List<CompletableFuture<Decision>> looks = others.stream()
                .map(other -> other.limiter.peekAsync(key, 0).toCompletableFuture())
                .toList();
        return together(looks)
                .thenCompose(unused -> {
                    long used = 0;
                    List<CallLimit> users = new ArrayList<>();
                    for (int i = 0; i < looks.size(); i++) {
                        long there = others.get(i).use.of(looks.get(i).join());
                        used = Math.max(used, there);
                        if (there > 0) {
                            users.add(others.get(i));
                        }
                    }
                    return used == 0 ? CompletableFuture.completedFuture(first) : carryAsync(key, permits, used, users);
                })
                // The store went away meanwhile: then what it said first counts.
                .exceptionally(failure -> first);
    }

    private CompletionStage<Decision> carryAsync(String key, long permits, long used, List<CallLimit> users) {
        return limiter.penalizeAsync(key, use.carried(used))
                .thenCompose(unused -> together(users.stream()
                        .filter(user -> use.holds(used))
                        .map(user -> user.limiter.resetAsync(key).toCompletableFuture())
                        .toList()))
                .thenCompose(unused -> limiter.refundAsync(key, permits))
                .thenCompose(unused -> limiter.checkAsync(key, permits));
    }

    private static CompletableFuture<@Nullable Void> together(List<? extends CompletableFuture<?>> all) {
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }
}
