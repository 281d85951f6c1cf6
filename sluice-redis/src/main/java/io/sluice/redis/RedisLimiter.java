package io.sluice.redis;

import io.sluice.Decision;
import io.sluice.Gate;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.Lockout;
import io.sluice.RateLimiter;
import io.sluice.Reservation;
import io.sluice.redis.Call.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A limiter of a {@link RedisStore}. */
final class RedisLimiter implements RateLimiter {
    private static final byte[] NO_RECEIPT = {};
    private static final long LONGEST_MICROS = 1L << 52;

    /** Told apart from others in the memory of denials. */
    final int hash;

    private final RedisStore store;
    private final String name;
    private final byte[] keysBefore;
    private volatile List<Limit> brought;
    private volatile Fallback fallback;
    private volatile Waits waits;
    private volatile Terms terms;
    private volatile boolean agreed;
    private CompletableFuture<?> updates = CompletableFuture.completedFuture(null);

    RedisLimiter(RedisStore store, String name, LimiterOptions options, List<Limit> limits) {
        this.store = store;
        this.name = name;
        this.hash = name.hashCode();
        this.keysBefore = store.names.before(name);
        this.brought = limits;
        this.fallback = new Fallback(this, options.onFailure());
        this.terms = new Terms(List.of(new Terms.Version(1, 0, options.revision(), limits)));
        this.waits = new Waits(this);
    }

    /** Opens it again if it was closed. */
    synchronized RedisLimiter open() {
        if (waits.isClosed()) {
            waits = new Waits(this);
        }
        return this;
    }

    /** This process wants these limits in force from now on. */
    void bring(LimiterOptions options, List<Limit> limits) {
        brought = limits;
        if (fallback.how() != options.onFailure()) {
            fallback = new Fallback(this, options.onFailure());
        }
    }

    /** As long as Redis has not been asked, what this process wants is what counts. */
    synchronized void bringUnasked(LimiterOptions options, List<Limit> limits) {
        if (!agreed) {
            terms = new Terms(List.of(new Terms.Version(1, 0, options.revision(), limits)));
        }
    }

    RedisStore store() {
        return store;
    }

    DenialMemory denials() {
        return store.denials;
    }

    /** Where time is virtual, a second of the real clock means nothing. */
    boolean remembersDenials() {
        return store.virtualTime == null;
    }

    Fallback fallback() {
        return fallback;
    }

    Terms terms() {
        return terms;
    }

    /** Whether Redis and this process know the same limits. */
    boolean isAgreed() {
        return agreed;
    }

    /** The limits that this process was told, which need not be those in force. */
    List<Limit> brought() {
        return brought;
    }

    byte[] keyName(String key) {
        return store.names.key(keysBefore, key);
    }

    /** Takes over the terms that Redis has, unless newer ones are known; whether that changes anything. */
    synchronized boolean adopt(Terms newer) {
        boolean changes = !agreed || newer.version() != terms.version();
        if (agreed && newer.version() < terms.version()) {
            return false;
        }
        terms = newer;
        agreed = true;
        return changes;
    }

    /** Other terms were adopted. */
    void changed() {
        denials().forgetAll();
        store.events.following(this, brought, terms.limits());
        waits.allChanged();
    }

    /** One update of a process at a time: they would only get in each other's way. */
    synchronized <T> CompletableFuture<T> afterOtherUpdates(Supplier<CompletableFuture<T>> update) {
        CompletableFuture<T> next = updates.handle((done, failure) -> done).thenCompose(unused -> update.get());
        updates = next;
        return next;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Limit> limits() {
        return terms.limits();
    }

    @Override
    public Gate forKey(String key) {
        Objects.requireNonNull(key, "key");
        return new Gate() {
            @Override
            public RateLimiter limiter() {
                return RedisLimiter.this;
            }

            @Override
            public String key() {
                return key;
            }
        };
    }

    @Override
    public boolean tryAcquire(String key, long permits) {
        if (denials().isDenied(this, key, permits)) {
            store.events.denialRemembered(this);
            return false;
        }
        return call(Verb.TRY, key, permits).await().allowed();
    }

    @Override
    public CompletionStage<Boolean> tryAcquireAsync(String key, long permits) {
        return now(() -> denials().isDenied(this, key, permits)).thenCompose(denied -> {
            if (denied) {
                store.events.denialRemembered(this);
                return CompletableFuture.completedFuture(false);
            }
            return call(Verb.TRY, key, permits).thenApply(Decision::allowed);
        });
    }

    @Override
    public Decision check(String key, long permits) {
        Decision remembered = denials().find(this, key, permits);
        if (remembered != null) {
            store.events.denialRemembered(this);
            return remembered;
        }
        return call(Verb.CHECK, key, permits).await();
    }

    @Override
    public CompletionStage<Decision> checkAsync(String key, long permits) {
        try {
            Decision remembered = denials().find(this, key, permits);
            if (remembered != null) {
                store.events.denialRemembered(this);
                return CompletableFuture.completedFuture(remembered);
            }
            return call(Verb.CHECK, key, permits);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public Decision peek(String key, long permits) {
        return call(Verb.PEEK, key, permits).await();
    }

    @Override
    public CompletionStage<Decision> peekAsync(String key, long permits) {
        return stage(() -> call(Verb.PEEK, key, permits));
    }

    private CheckCall call(Verb verb, String key, long permits) {
        Objects.requireNonNull(key, "key");
        requirePermits(permits);
        CheckCall call = new CheckCall(verb, this, key, permits);
        store.lanes.submit(call);
        return call;
    }

    @Override
    public void acquire(String key, long permits) throws InterruptedException {
        requireGranted(waits.get(() -> start(key, permits, LONGEST_MICROS)), key, permits);
    }

    @Override
    public boolean tryAcquire(String key, long permits, Duration timeout) throws InterruptedException {
        return waits.get(() -> start(key, permits, micros("timeout", timeout))).granted();
    }

    private CompletableFuture<RedisReservation> start(String key, long permits, long timeoutMicros) {
        requirePermits(permits);
        Objects.requireNonNull(key, "key");
        return waits.start(key, permits, timeoutMicros);
    }

    /** Who waits without a timeout is refused only what can never be had. */
    private void requireGranted(RedisReservation reservation, String key, long permits) {
        if (!reservation.granted()) {
            throw new IllegalArgumentException("limiter \"" + name + "\", key \"" + key + "\": " + permits
                    + " permits can never be had (expected: at most what " + limits() + " has)");
        }
    }

    @Override
    public CompletionStage<Void> acquireAsync(String key, long permits) {
        return waits.async(() -> start(key, permits, LONGEST_MICROS), reservation -> {
            requireGranted(reservation, key, permits);
            return null;
        });
    }

    @Override
    public CompletionStage<Boolean> tryAcquireAsync(String key, long permits, Duration timeout) {
        return waits.async(() -> start(key, permits, micros("timeout", timeout)), RedisReservation::granted);
    }

    ReserveCall reserve(String key, long permits, long atMostMicros) {
        ReserveCall call = new ReserveCall(this, key, permits, atMostMicros);
        store.lanes.submit(call);
        return call;
    }

    @Override
    public Reservation reserve(String key, long permits, Duration atMost) {
        requirePermits(permits);
        Objects.requireNonNull(key, "key");
        return reserve(key, permits, micros("atMost", atMost)).await();
    }

    @Override
    public CompletionStage<Reservation> reserveAsync(String key, long permits, Duration atMost) {
        return stage(() -> {
            requirePermits(permits);
            Objects.requireNonNull(key, "key");
            return reserve(key, permits, micros("atMost", atMost)).thenApply(reservation -> reservation);
        });
    }

    ChangeCall cancel(String key, long permits, byte[] receipt) {
        return change(Verb.CANCEL, key, permits, receipt);
    }

    /** Gives back what was only held until all charges of a request were decided. */
    ChangeCall release(String key, long permits, byte[] receipt) {
        return change(Verb.RELEASE, key, permits, receipt);
    }

    /** Keeps what was only held. */
    void confirm(String key, long permits) {
        store.lanes.submit(new ChangeCall(Verb.CONFIRM, this, key, permits, NO_RECEIPT));
    }

    boolean locksOut() {
        return terms.limits().stream().anyMatch(Lockout.class::isInstance);
    }

    /** Gives back, without waiting, what Redis has charged for a caller who was denied meanwhile. */
    void giveBack(String key, long permits) {
        change(Verb.REFUND, key, permits, NO_RECEIPT);
    }

    private ChangeCall change(Verb verb, String key, long permits, byte[] receipt) {
        Objects.requireNonNull(key, "key");
        requirePermits(permits);
        denials().forget(this, key);
        ChangeCall call = new ChangeCall(verb, this, key, permits, receipt);
        if (verb != Verb.PENALIZE) {
            call.thenRun(() -> waits.changed(key));
        }
        store.lanes.submit(call);
        return call;
    }

    @Override
    public void refund(String key, long permits) {
        change(Verb.REFUND, key, permits, NO_RECEIPT).await();
    }

    @Override
    public void penalize(String key, long permits) {
        change(Verb.PENALIZE, key, permits, NO_RECEIPT).await();
    }

    @Override
    public void reset(String key) {
        change(Verb.RESET, key, 0, NO_RECEIPT).await();
    }

    @Override
    public CompletionStage<Void> refundAsync(String key, long permits) {
        return stage(() -> done(change(Verb.REFUND, key, permits, NO_RECEIPT)));
    }

    @Override
    public CompletionStage<Void> penalizeAsync(String key, long permits) {
        return stage(() -> done(change(Verb.PENALIZE, key, permits, NO_RECEIPT)));
    }

    @Override
    public CompletionStage<Void> resetAsync(String key) {
        return stage(() -> done(change(Verb.RESET, key, 0, NO_RECEIPT)));
    }

    @Override
    public void update(Limit limit, Limit... more) {
        Patience.await(
                "limiter \"" + name + "\": update",
                store.config.update(this, allOf(limit, more)),
                Math.max(store.deadlineNanos, 2_000_000_000L));
    }

    @Override
    public CompletionStage<Void> updateAsync(Limit limit, Limit... more) {
        return stage(() -> store.config.update(this, allOf(limit, more)).thenAccept(terms -> {}));
    }

    static List<Limit> allOf(Limit limit, Limit... more) {
        List<Limit> limits = new ArrayList<>();
        limits.add(limit);
        limits.addAll(Arrays.asList(more));
        if (limits.size() > 100) {
            throw new IllegalArgumentException(limits.size() + " limits on one limiter (expected: at most 100)");
        }
        return List.copyOf(limits);
    }

    @Override
    public void close() {
        waits.close();
    }

    static void requirePermits(long permits) {
        if (permits < 0) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: >= 0)");
        }
    }

    /** A wait in microseconds, rounded up; what is very long is as good as for ever. */
    private static long micros(String what, Duration duration) {
        Objects.requireNonNull(duration, what);
        if (duration.isNegative()) {
            return 0;
        }
        return duration.compareTo(Duration.ofSeconds(LONGEST_MICROS / 1_000_000)) >= 0
                ? LONGEST_MICROS
                : (duration.toNanos() + 999) / 1000;
    }

    @SuppressWarnings("NullAway") // a stage of nothing completes with null
    static CompletionStage<Void> done(ChangeCall call) {
        return call.thenApply(nothing -> null);
    }

    private static <T> CompletionStage<T> stage(Supplier<? extends CompletionStage<T>> start) {
        try {
            return start.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static <T> CompletionStage<T> now(Supplier<T> answer) {
        try {
            return CompletableFuture.completedFuture(answer.get());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
