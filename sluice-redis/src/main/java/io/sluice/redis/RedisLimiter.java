package io.sluice.redis;

import io.sluice.Decision;
import io.sluice.Gate;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.Permit;
import io.sluice.Reservation;
import io.sluice.TimeSource;
import io.sluice.redis.call.Admission;
import io.sluice.redis.call.CheckCall;
import io.sluice.redis.call.EnterAdmission;
import io.sluice.redis.call.EnterCall;
import io.sluice.redis.call.Health;
import io.sluice.redis.call.LimiterContext;
import io.sluice.redis.call.PausedCall;
import io.sluice.redis.call.RedisPermit;
import io.sluice.redis.call.RedisReservation;
import io.sluice.redis.call.ReserveCall;
import io.sluice.redis.call.UpToCall;
import io.sluice.redis.limits.AgreedLimits;
import io.sluice.redis.limits.Config;
import io.sluice.redis.limits.VersionedLimits;
import io.sluice.redis.script.Arguments;
import io.sluice.redis.script.Verb;
import io.sluice.spi.EnteringCalls;
import io.sluice.spi.ReportingLimiter;
import io.sluice.spi.WaitingCalls;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A limiter of a {@link RedisStore}. It makes calls and waits for their answers. */
final class RedisLimiter implements ReportingLimiter {
    private static final long LEAST_UPDATE_NANOS = 2_000_000_000L;

    /** The limits that this process and Redis have agreed on. */
    final AgreedLimits agreement;

    /** How many policies hold it. Only {@link Limiters} reads or writes it. */
    int holders;

    /** Whether it is in use until the store is closed. Only {@link Limiters} reads or writes it. */
    boolean kept;

    private final LimiterContext context;
    private final Config config;
    private final Health health;
    private final @Nullable TimeSource virtualTime;
    private final long updateNanos;
    private final Executor executor;
    private final WaitingCalls<RedisReservation> waitingCalls = new WaitingCalls<>(this, this::startWaiting);
    private final EnteringCalls enteringCalls = new EnteringCalls(this, this::startEntering);
    private volatile Waiters waiters;

    /** @param explicit whether the options were set for this limiter, and are not the defaults of the store */
    RedisLimiter(LimiterFactory factory, String name, LimiterOptions options, boolean explicit, List<Limit> limits) {
        this.config = factory.config();
        this.health = factory.services().health();
        this.virtualTime = factory.services().virtualTime();
        this.updateNanos = Math.max(factory.deadlineNanos(), LEAST_UPDATE_NANOS);
        this.executor = factory.executor();
        this.agreement = new AgreedLimits(name, options, limits, adopted -> changed(factory, adopted));
        this.context = factory.context(agreement, options, explicit, this::gaveBack);
        this.waiters = new Waiters(this);
    }

    /** Opens the limiter again if it was closed. */
    synchronized RedisLimiter open() {
        if (waiters.isClosed()) {
            waiters = new Waiters(this);
        }
        return this;
    }

    /** Sets the limits that this process wants in force from now on. */
    void configure(LimiterOptions options, List<Limit> limits) {
        agreement.configure(limits);
        context.onFailure(options.onFailure());
    }

    LimiterContext context() {
        return context;
    }

    Waiters waiters() {
        return waiters;
    }

    Health health() {
        return health;
    }

    @Nullable
    TimeSource virtualTime() {
        return virtualTime;
    }

    /** Whether permits can be taken ahead of time. */
    boolean canReserve() {
        return agreement.versions().reserves;
    }

    /** Other limits are in force. */
    private void changed(LimiterFactory factory, VersionedLimits adopted) {
        factory.limitsChanged(agreement, adopted);
        waiters.allChanged();
    }

    private void gaveBack(String key) {
        waiters.changed(key);
    }

    @Override
    public String name() {
        return agreement.name();
    }

    @Override
    public List<Limit> limits() {
        return agreement.limits();
    }

    @Override
    public Executor executor() {
        return executor;
    }

    @Override
    public TimeSource time() {
        return virtualTime == null ? TimeSource.system() : virtualTime;
    }

    @Override
    public Gate forKey(String key) {
        return new RedisGate(this, key);
    }

    @Override
    public boolean tryAcquire(String key, long permits) {
        if (context.remembersDenial(key, permits)) {
            return false;
        }
        return context.await(call(Verb.TRY, key, permits)).allowed();
    }

    @Override
    public CompletionStage<Boolean> tryAcquireAsync(String key, long permits) {
        try {
            if (context.remembersDenial(key, permits)) {
                return CompletableFuture.completedFuture(false);
            }
            return call(Verb.TRY, key, permits).stage(Decision::allowed);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /*
     * A remembered denial of fewer permits has no decision on more of them. So a request with a report asks Redis in that case.
     */
    @Override
    public boolean tryAcquire(String key, long permits, Report report) {
        Decision decision = context.rememberedDenial(key, permits, null);
        if (decision == null) {
            decision = context.await(call(Verb.TRY, key, permits));
        }
        report.decided(permits, decision);
        return decision.allowed();
    }

    @Override
    public CompletionStage<Boolean> tryAcquireAsync(String key, long permits, Report report) {
        return stage(() -> {
            Decision remembered = context.rememberedDenial(key, permits, null);
            if (remembered != null) {
                report.decided(permits, remembered);
                return CompletableFuture.completedFuture(false);
            }
            return call(Verb.TRY, key, permits).stage(decision -> {
                report.decided(permits, decision);
                return decision.allowed();
            });
        });
    }

    @Override
    public long acquireUpTo(String key, long permits) {
        return acquireUpTo(key, permits, Report.NONE);
    }

    @Override
    public CompletionStage<Long> acquireUpToAsync(String key, long permits) {
        return acquireUpToAsync(key, permits, Report.NONE);
    }

    @Override
    public long acquireUpTo(String key, long permits, Report report) {
        Decision remembered = rememberedDenialOfOne(key, permits);
        if (remembered != null) {
            report.decided(1, remembered);
            return 0;
        }
        UpToCall.Taken taken = context.await(context.submit(new UpToCall(context, key, permits)));
        report.decided(taken.asked(), taken.decision());
        return taken.permits();
    }

    @Override
    public CompletionStage<Long> acquireUpToAsync(String key, long permits, Report report) {
        return stage(() -> {
            Decision remembered = rememberedDenialOfOne(key, permits);
            if (remembered != null) {
                report.decided(1, remembered);
                return CompletableFuture.completedFuture(0L);
            }
            return context.submit(new UpToCall(context, key, permits)).stage(taken -> {
                report.decided(taken.asked(), taken.decision());
                return taken.permits();
            });
        });
    }

    private @Nullable Decision rememberedDenialOfOne(String key, long permits) {
        Arguments.require(key, permits);
        requireUsable(permits, "acquireUpTo");
        return permits == 0 ? null : context.rememberedDenial(key, 1, null);
    }

    @Override
    public Decision check(String key, long permits) {
        Decision remembered = context.rememberedDenial(key, permits, null);
        if (remembered != null) {
            return remembered;
        }
        return context.await(call(Verb.CHECK, key, permits));
    }

    @Override
    public CompletionStage<Decision> checkAsync(String key, long permits) {
        try {
            Decision remembered = context.rememberedDenial(key, permits, null);
            if (remembered != null) {
                return CompletableFuture.completedFuture(remembered);
            }
            return call(Verb.CHECK, key, permits);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public Decision peek(String key, long permits) {
        return context.await(call(Verb.PEEK, key, permits));
    }

    @Override
    public CompletionStage<Decision> peekAsync(String key, long permits) {
        return stage(() -> call(Verb.PEEK, key, permits));
    }

    private CheckCall call(Verb verb, String key, long permits) {
        Arguments.require(key, permits);
        if (verb != Verb.PEEK) {
            requireUsable(permits, verb == Verb.TRY ? "tryAcquire" : "check");
        }
        return context.submit(new CheckCall(verb, context, key, permits));
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

    @SuppressWarnings("unchecked") // without holds, every answer to a waiter is a reservation
    private CompletableFuture<RedisReservation> startWaiting(String key, long permits, long timeoutMicros) {
        Arguments.require(key, permits);
        requireUsable(permits, "acquire");
        return (CompletableFuture<RedisReservation>)
                (CompletableFuture<?>) waiters.start(key, permits, false, timeoutMicros);
    }

    /** @param waits whether the caller waits for the permits, and so waits for Redis as well */
    ReserveCall reserve(String key, long permits, long atMostMicros, boolean waits) {
        return context.submit(new ReserveCall(context, key, permits, atMostMicros, waits));
    }

    @Override
    public Reservation reserve(String key, long permits, Duration atMost) {
        Arguments.require(key, permits);
        requireUsable(permits, "reserve");
        return context.await(reserve(key, permits, Arguments.micros("atMost", atMost), false));
    }

    @Override
    public CompletionStage<Reservation> reserveAsync(String key, long permits, Duration atMost) {
        return stage(() -> {
            Arguments.require(key, permits);
            requireUsable(permits, "reserve");
            return reserve(key, permits, Arguments.micros("atMost", atMost), false)
                    .stage(reservation -> reservation);
        });
    }

    @Override
    public void refund(String key, long permits) {
        context.await(context.changes().refund(key, permits));
    }

    @Override
    public void penalize(String key, long permits) {
        requireUsable(permits, "penalize");
        context.await(context.changes().penalize(key, permits));
    }

    @Override
    public void reset(String key) {
        context.await(context.changes().reset(key));
    }

    @Override
    public void pause(String key, Duration duration) {
        context.await(context.changes().pause(key, Arguments.micros("duration", duration)));
    }

    /** How long a key is still paused. */
    PausedCall pauseRest(String key) {
        return context.submit(new PausedCall(context, key));
    }

    @Override
    public CompletionStage<Void> pauseAsync(String key, Duration duration) {
        return stage(() -> context.changes()
                .pause(key, Arguments.micros("duration", duration))
                .done());
    }

    @Override
    public CompletionStage<Void> refundAsync(String key, long permits) {
        return stage(() -> context.changes().refund(key, permits).done());
    }

    @Override
    public CompletionStage<Void> penalizeAsync(String key, long permits) {
        return stage(() -> {
            requireUsable(permits, "penalize");
            return context.changes().penalize(key, permits).done();
        });
    }

    @Override
    public boolean limitsConcurrency() {
        return agreement.versions().holds;
    }

    @Override
    public Permit enter(String key) throws InterruptedException {
        return enteringCalls.enter(key);
    }

    @Override
    public Optional<Permit> tryEnter(String key) {
        return tryEnter(key, Report.NONE);
    }

    @Override
    public Optional<Permit> tryEnter(String key, Report report) {
        EnterCall call = enterCall(key, false);
        Decision decision = context.await(call);
        report.decided(1, decision);
        return decision.allowed() ? Optional.of(call.permit(decision)) : Optional.empty();
    }

    @Override
    public Optional<Permit> tryEnter(String key, Duration timeout) throws InterruptedException {
        return enteringCalls.tryEnter(key, timeout);
    }

    @Override
    public CompletionStage<Permit> enterAsync(String key) {
        return enteringCalls.enterAsync(key);
    }

    @Override
    public CompletionStage<Optional<Permit>> tryEnterAsync(String key) {
        return tryEnterAsync(key, Report.NONE);
    }

    @Override
    public CompletionStage<Optional<Permit>> tryEnterAsync(String key, Report report) {
        return stage(() -> {
            EnterCall call = enterCall(key, false);
            return call.stage(decision -> {
                report.decided(1, decision);
                return decision.allowed() ? Optional.of(call.permit(decision)) : Optional.empty();
            });
        });
    }

    @Override
    public CompletionStage<Optional<Permit>> tryEnterAsync(String key, Duration timeout) {
        return enteringCalls.tryEnterAsync(key, timeout);
    }

    private EnterCall enterCall(String key, boolean waits) {
        Arguments.require(key, 1);
        return context.submit(new EnterCall(Verb.TRY_ENTER, context, key, waits));
    }

    private CompletableFuture<Optional<Permit>> startEntering(String key, long timeoutMicros) {
        Arguments.require(key, 1);
        CompletableFuture<Admission> waiting = waiters.start(key, 1, true, timeoutMicros);
        CompletableFuture<Optional<Permit>> entered = new CompletableFuture<>();
        entered.whenComplete((permit, failure) -> {
            if (failure != null) {
                waiting.cancel(false);
            }
        });
        waiting.whenComplete((admission, failure) -> {
            if (failure != null) {
                entered.completeExceptionally(failure);
            } else if (!entered.isDone()) {
                Optional<RedisPermit> permit = admission.permit();
                if (!entered.complete(permit.map(Permit.class::cast))) {
                    permit.ifPresent(RedisPermit::undo);
                }
            } else {
                admission.cancelAsync();
            }
        });
        return entered;
    }

    /**
     * Asks Redis for the permits of a waiter.
     *
     * @param atMostMicros how far ahead they may be reserved; without meaning for permits that are held
     */
    CompletableFuture<? extends Admission> ask(String key, Waiter waiter, long atMostMicros) {
        if (waiter.enters() && limitsConcurrency()) {
            EnterCall call = enterCall(key, true);
            return call.thenApply(decision -> new EnterAdmission(call, decision));
        }
        return reserve(key, waiter.permits(), atMostMicros, true);
    }

    /** Permits of concurrency limits are held, and not used up. */
    private void requireUsable(long permits, String verb) {
        if (permits > 0 && limitsConcurrency()) {
            throw unusable(verb);
        }
    }

    IllegalStateException unusable(String verb) {
        return new IllegalStateException("limiter \"" + name() + "\": " + verb + " on " + limits()
                + " (expected: enter, because the permits of such a limit are held and given back)");
    }

    @Override
    public CompletionStage<Void> resetAsync(String key) {
        return stage(() -> context.changes().reset(key).done());
    }

    @Override
    public void update(Limit limit, Limit... more) {
        BlockingCall.await(
                "limiter \"" + name() + "\": update",
                config.update(agreement, Arguments.limits(limit, more)),
                updateNanos);
    }

    @Override
    public CompletionStage<Void> updateAsync(Limit limit, Limit... more) {
        return stage(
                () -> config.update(agreement, Arguments.limits(limit, more)).thenAccept(versions -> {}));
    }

    @Override
    public void close() {
        waiters.close();
    }

    private static <T> CompletionStage<T> stage(Supplier<? extends CompletionStage<T>> start) {
        try {
            return start.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
