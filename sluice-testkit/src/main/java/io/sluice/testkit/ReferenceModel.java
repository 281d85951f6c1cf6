package io.sluice.testkit;

import io.sluice.Decision;
import io.sluice.Limit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;

/*
 * The model is literal, slow and obviously right. The use of a key is an exact fraction. Usage has one small immutable
 * record for each algorithm, which says how much is used at any later time. Everything else follows from that one
 * function. A request is allowed if it fits into the unused part. retryAfter is the shortest time after which it fits.
 * resetAfter is the shortest time after which nothing is used. Both are found by search (BinarySearch), not by formula.
 * So the model has little in common with the stores that it checks, which use closed integer formulas.
 *
 * A request is judged by every limit on the state before it; then all limits are charged, or none, and those that denied
 * start their lockout; then every limit reports its state after it.
 */
/**
 * The exact reference model: it gives the decision that any store must give, for one or several limits on each key. The
 * caller passes the time with each call, in microseconds since the Unix epoch, below 2^53. Not thread-safe.
 *
 * <pre>{@code
 * ReferenceModel model = ReferenceModel.of(Limit.parse("10/s burst 20"));
 * assertThat(limiter.check("key", 3)).isEqualTo(model.check("key", 3, time.micros()));
 * }</pre>
 */
public final class ReferenceModel {
    private final List<LimitModel> limitModels = new ArrayList<>();

    private ReferenceModel(List<Limit> limits) {
        limits.forEach(limit -> limitModels.add(LimitModel.of(limit)));
    }

    /** Creates a model in which every key is fresh. Several limits are decided together for each key. */
    public static ReferenceModel of(Limit limit, Limit... more) {
        return new ReferenceModel(list(limit, more));
    }

    /** Takes permits if every limit allows them. */
    public Decision check(String key, long permits, long micros) {
        return decide(micros, List.of(new ModelCharge(this, key, permits))).get(0);
    }

    /** The decision of {@link #check}, without a change: charges nothing and starts no lockout. */
    public Decision peek(String key, long permits, long micros) {
        return new PendingCharge(this, key, requirePermits(permits), micros).report();
    }

    /** Takes permits if every limit allows them without delay. A delay is not a denial: it starts no lockout. */
    public boolean tryAcquire(String key, long permits, long micros) {
        PendingCharge request = new PendingCharge(this, key, requirePermits(permits), micros);
        if (!request.allowed()) {
            request.deny();
            return false;
        }
        if (request.delayMicros() > 0) {
            return false;
        }
        request.take();
        return true;
    }

    /**
     * Takes as many permits as {@link #tryAcquire} would give, at most so many, and returns how many. If it would not give even
     * one, that is a request for one permit: denied, or, on a leaky bucket, not to be had without a delay.
     */
    public long acquireUpTo(String key, long permits, long micros) {
        long most = Math.min(requirePermits(permits), peek(key, 0, micros).remaining());
        long asked = Math.min(permits, Math.max(1, most));
        return tryAcquire(key, asked, micros) ? asked : 0;
    }

    /** Decides charges together: takes all of them or none. Charges on one key of one model are decided as their sum. */
    public static List<Decision> decide(long micros, List<ModelCharge> charges) {
        return JointDecision.decide(micros, charges);
    }

    /**
     * {@link #decide} for charges on different keys whose permits are settled later.
     *
     * @param taken gets what each charge took, if the request is allowed, for {@link #settle}
     */
    public static List<Decision> reserve(
            long micros, List<ModelCharge> charges, Map<ModelCharge, ModelReservation> taken) {
        return JointDecision.decide(micros, charges, taken);
    }

    /**
     * {@link #decide} for charges that hold a permit of each limit of concurrency, however many they ask for. Other verbs must not
     * charge such limits with permits.
     *
     * @param held gets what each charge holds, if the request is allowed, for {@link #renew} and {@link #leave}
     */
    public static List<Decision> enter(
            long micros, List<ModelCharge> charges, Map<ModelCharge, ModelReservation> held) {
        return JointDecision.decide(micros, charges, held);
    }

    /** Whether a permit is held that {@link #enter} has given. */
    public boolean isHeld(ModelReservation permit, long micros) {
        return limitModels.stream().anyMatch(limitModel -> limitModel.isHeld(permit, micros));
    }

    /** Holds a permit for the full time from now on. Returns false, and does nothing, if it is not held. */
    public boolean renew(ModelReservation permit, long micros) {
        boolean renewed = false;
        for (LimitModel limitModel : limitModels) {
            renewed |= limitModel.renew(permit, micros);
        }
        return renewed;
    }

    /** Gives a permit back that is held. Returns false, and does nothing, if it is not held. */
    public boolean leave(ModelReservation permit, long micros) {
        boolean left = false;
        for (LimitModel limitModel : limitModels) {
            left |= limitModel.leave(permit, micros);
        }
        return left;
    }

    /** Gives permits back: undoes the newest use first, never above the full limit. */
    public void refund(String key, long permits, long micros) {
        requirePermits(permits);
        limitModels.forEach(limitModel -> limitModel.refund(key, permits, micros));
    }

    /** Takes permits without a decision, even into debt. */
    public void penalize(String key, long permits, long micros) {
        requirePermits(permits);
        limitModels.forEach(limitModel -> limitModel.penalize(key, permits, micros));
    }

    /** Pauses a key for at least {@code duration} microseconds; a longer pause stays as it is. */
    public void pause(String key, long duration, long micros) {
        limitModels.forEach(limitModel -> limitModel.pause(key, duration, micros));
    }

    /** Forgets the key. */
    public void reset(String key) {
        limitModels.forEach(limitModel -> limitModel.reset(key));
    }

    /**
     * Takes permits ahead of time if they can be used within {@code atMostMicros}. Starts no lockout. Only buckets go into
     * debt; a window gives what is free now.
     */
    public ModelReservation reserve(String key, long permits, long atMostMicros, long micros) {
        requirePermits(permits);
        long wait = 0;
        boolean lent = true;
        for (LimitModel limitModel : limitModels) {
            wait = Math.max(wait, limitModel.untilUsable(key, permits, micros));
            lent &= limitModel.allowsDebt(key, permits, micros);
        }
        boolean granted = wait == 0 || (wait != Decision.NEVER && wait <= atMostMicros && lent);
        ModelReservation reservation = new ModelReservation(key, permits, granted, wait);
        if (granted) {
            limitModels.forEach(limitModel -> limitModel.take(reservation, micros));
        }
        return reservation;
    }

    /** Gives back exactly the permits that are still unused. Only the first call for a reservation has an effect. */
    public void cancel(ModelReservation reservation, long micros) {
        limitModels.forEach(limitModel -> limitModel.cancel(reservation, micros));
    }

    /**
     * Replaces the permits of a reservation by those that were really used: takes more, even into debt, or gives less back to where
     * it came from. Only the first call for a reservation has an effect, after no {@link #cancel}.
     */
    public void settle(ModelReservation reservation, long actual, long micros) {
        limitModels.forEach(limitModel -> limitModel.settle(reservation, actual, micros));
    }

    /**
     * Replaces the limits; used permits stay used. A limit that stays keeps its own state. Each other limit takes over the
     * state of a limit that goes: the first one that counts alike (permits that are used up, permits that are held, or nothing),
     * else the first one. If none is left, it begins fresh.
     */
    public void update(long micros, Limit limit, Limit... more) {
        List<Limit> limits = list(limit, more);
        List<LimitModel> left = new ArrayList<>(limitModels);
        List<Optional<LimitModel>> next = new ArrayList<>(Collections.nCopies(limits.size(), Optional.empty()));
        takeOver(left, limits, next, (old, newer) -> old.equals(newer), (old, newer) -> old);
        takeOver(
                left,
                limits,
                next,
                (old, newer) -> kind(old).equals(kind(newer)),
                (old, newer) -> old.update(newer, micros));
        takeOver(left, limits, next, (old, newer) -> true, (old, newer) -> old.update(newer, micros));
        limitModels.clear();
        for (int i = 0; i < limits.size(); i++) {
            Limit newer = limits.get(i);
            limitModels.add(next.get(i).orElseGet(() -> LimitModel.of(newer)));
        }
    }

    /** Each limit that has no model yet gets that of the first limit left that fits. */
    private static void takeOver(
            List<LimitModel> left,
            List<Limit> limits,
            List<Optional<LimitModel>> next,
            BiPredicate<Limit, Limit> fits,
            BiFunction<LimitModel, Limit, LimitModel> update) {
        for (int i = 0; i < limits.size(); i++) {
            Limit limit = limits.get(i);
            Optional<LimitModel> old = next.get(i).isPresent()
                    ? Optional.empty()
                    : left.stream()
                            .filter(model -> fits.test(model.limit(), limit))
                            .findFirst();
            if (old.isPresent()) {
                left.remove(old.get());
                next.set(i, Optional.of(update.apply(old.get(), limit)));
            }
        }
    }

    private static String kind(Limit limit) {
        return switch (limit.algorithm()) {
            case UNLIMITED, BLOCKED -> "nothing";
            case CONCURRENCY, ADAPTIVE_CONCURRENCY -> "held";
            default -> "used up";
        };
    }

    /** A copy for trying out changes. Reservations cannot be cancelled on the copy. */
    ReferenceModel copy() {
        ReferenceModel copy = new ReferenceModel(List.of());
        limitModels.forEach(limitModel -> copy.limitModels.add(limitModel.copy()));
        return copy;
    }

    /** Whether another model would decide every request alike; reservations are ignored. */
    boolean isLike(ReferenceModel other) {
        for (int i = 0; i < limitModels.size(); i++) {
            if (!limitModels.get(i).isLike(other.limitModels.get(i))) {
                return false;
            }
        }
        return limitModels.size() == other.limitModels.size();
    }

    List<LimitModel> limitModels() {
        return limitModels;
    }

    static long requirePermits(long permits) {
        if (permits < 0) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: >= 0)");
        }
        return permits;
    }

    private static List<Limit> list(Limit limit, Limit... more) {
        List<Limit> limits = new ArrayList<>();
        limits.add(limit);
        limits.addAll(List.of(more));
        return limits;
    }
}
