package io.sluice.redis;

import io.sluice.Decision;
import io.sluice.Gate;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.Reservation;
import io.sluice.redis.Call.Verb;
import io.sluice.spi.WaitingCalls;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A limiter of a {@link RedisStore}. */
final class RedisLimiter implements RateLimiter {
    /** Told apart from others in the memory of denials. */
    final int hash;

    /** Which limits are in force. */
    final Agreement agreement;

    /** What is not decided but done. */
    final Changes changes = new Changes(this);

    /** Who holds it, and whether it is in use for as long as the store is. Touched by {@link Limiters} only. */
    int holders;

    boolean kept;

    private final RedisStore store;
    private final String name;
    private final byte[] keysBefore;
    private final WaitingCalls<RedisReservation> waitingCalls = new WaitingCalls<>(this, this::startWaiting);
    private volatile Fallback fallback;
    private volatile Waiters waiters;

    /** @param explicit whether the options are the limiter's own, not those that the store has for all */
    RedisLimiter(RedisStore store, String name, LimiterOptions options, boolean explicit, List<Limit> limits) {
        this(store, name, options, explicit, limits, store.names.before(name));
    }

    /** One for calls that bring their own limits, about which there is nothing to agree with Redis. */
    static RedisLimiter carrier(RedisStore store, String name, LimiterOptions options) {
        RedisLimiter carrier =
                new RedisLimiter(store, name, options, true, Terms.WHATEVER.limits(), store.names.beforeCalls(name));
        carrier.agreement.adopt(Terms.WHATEVER);
        return carrier;
    }

    private RedisLimiter(
            RedisStore store,
            String name,
            LimiterOptions options,
            boolean explicit,
            List<Limit> limits,
            byte[] keysBefore) {
        this.store = store;
        this.name = name;
        this.hash = name.hashCode();
        this.keysBefore = keysBefore;
        this.fallback = new Fallback(this, options.onFailure(), explicit);
        this.agreement = new Agreement(options, limits);
        this.waiters = new Waiters(this);
    }

    /** Opens it again if it was closed. */
    synchronized RedisLimiter open() {
        if (waiters.isClosed()) {
            waiters = new Waiters(this);
        }
        return this;
    }

    /** This process wants these limits in force from now on. */
    void bring(LimiterOptions options, List<Limit> limits) {
        agreement.bring(limits);
        if (fallback.how() != options.onFailure()) {
            fallback = new Fallback(this, options.onFailure(), true);
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

    /** Whether this process enforces its share when Redis does not answer. */
    boolean goesOnLocally() {
        return fallback.how() == OnFailure.LOCAL && !carries();
    }

    Waiters waiters() {
        return waiters;
    }

    Terms terms() {
        return agreement.terms();
    }

    /** Whether Redis and this process know the same limits. */
    boolean isAgreed() {
        return agreement.isReached();
    }

    /** Whether this process wants its limits in force; not yet, if it only gets ready for that. */
    boolean isWanted() {
        return agreement.isWanted();
    }

    /** Whether its calls bring their own limits. */
    boolean carries() {
        return terms() == Terms.WHATEVER;
    }

    byte[] keyName(String key) {
        return store.names.key(keysBefore, key);
    }

    /** Other terms were adopted. */
    void changed() {
        denials().forgetAll();
        store.agreed(this);
        waiters.allChanged();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Limit> limits() {
        return agreement.terms().limits();
    }

    @Override
    public Gate forKey(String key) {
        return new RedisGate(this, key);
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
        try {
            if (denials().isDenied(this, key, permits)) {
                store.events.denialRemembered(this);
                return CompletableFuture.completedFuture(false);
            }
            return call(Verb.TRY, key, permits).stage(Decision::allowed);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public Decision check(String key, long permits) {
        Decision remembered = denials().find(this, key, permits, null);
        if (remembered != null) {
            store.events.denialRemembered(this);
            return remembered;
        }
        return call(Verb.CHECK, key, permits).await();
    }

    @Override
    public CompletionStage<Decision> checkAsync(String key, long permits) {
        try {
            Decision remembered = denials().find(this, key, permits, null);
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
        Input.require(key, permits);
        CheckCall call = new CheckCall(verb, this, key, permits);
        store.lanes.submit(call);
        return call;
    }

    @Override
    public void acquire(String key, long permits) throws InterruptedException {
        waitingCalls.acquire(key, permits);
    }

    @Override
    public boolean tryAcquire(String key, long permits, Duration timeout) throws InterruptedException {
        return waitingCalls.tryAcquire(key, permits, timeout);
    }

    @Override
    public CompletionStage<Void> acquireAsync(String key, long permits) {
        return waitingCalls.acquireAsync(key, permits);
    }

    @Override
    public CompletionStage<Boolean> tryAcquireAsync(String key, long permits, Duration timeout) {
        return waitingCalls.tryAcquireAsync(key, permits, timeout);
    }

    private CompletableFuture<RedisReservation> startWaiting(String key, long permits, long timeoutMicros) {
        Input.require(key, permits);
        return waiters.start(key, permits, timeoutMicros);
    }

    /** @param waits whether somebody waits, who may not go just because Redis is away */
    ReserveCall reserve(String key, long permits, long atMostMicros, boolean waits) {
        ReserveCall call = new ReserveCall(this, key, permits, atMostMicros, waits);
        store.lanes.submit(call);
        return call;
    }

    @Override
    public Reservation reserve(String key, long permits, Duration atMost) {
        Input.require(key, permits);
        return reserve(key, permits, Input.micros("atMost", atMost), false).await();
    }

    @Override
    public CompletionStage<Reservation> reserveAsync(String key, long permits, Duration atMost) {
        return stage(() -> {
            Input.require(key, permits);
            return reserve(key, permits, Input.micros("atMost", atMost), false).stage(reservation -> reservation);
        });
    }

    @Override
    public void refund(String key, long permits) {
        changes.refund(key, permits).await();
    }

    @Override
    public void penalize(String key, long permits) {
        changes.penalize(key, permits).await();
    }

    @Override
    public void reset(String key) {
        changes.reset(key).await();
    }

    @Override
    public void pause(String key, Duration duration) {
        changes.pause(key, Input.micros("duration", duration)).await();
    }

    /** How long a key is still paused. */
    PausedCall pauseRest(String key) {
        PausedCall call = new PausedCall(this, key);
        store.lanes.submit(call);
        return call;
    }

    @Override
    public CompletionStage<Void> pauseAsync(String key, Duration duration) {
        return stage(() -> done(changes.pause(key, Input.micros("duration", duration))));
    }

    @Override
    public CompletionStage<Void> refundAsync(String key, long permits) {
        return stage(() -> done(changes.refund(key, permits)));
    }

    @Override
    public CompletionStage<Void> penalizeAsync(String key, long permits) {
        return stage(() -> done(changes.penalize(key, permits)));
    }

    @Override
    public CompletionStage<Void> resetAsync(String key) {
        return stage(() -> done(changes.reset(key)));
    }

    @Override
    public void update(Limit limit, Limit... more) {
        Patience.await(
                "limiter \"" + name + "\": update",
                store.config.update(this, Input.limits(limit, more)),
                Math.max(store.deadlineNanos, 2_000_000_000L));
    }

    @Override
    public CompletionStage<Void> updateAsync(Limit limit, Limit... more) {
        return stage(() -> store.config.update(this, Input.limits(limit, more)).thenAccept(terms -> {}));
    }

    @Override
    public void close() {
        waiters.close();
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
}
