package io.sluice.testkit;

import io.sluice.Decision;
import io.sluice.Limit;
import java.util.HashMap;
import java.util.Map;

/** The model of a limit that counts nothing: {@code unlimited} or {@code blocked}. Unlimited keys may be paused. */
final class ConstantLimitModel implements LimitModel {
    private final Limit limit;
    private final Decision decision;
    private final Map<String, Pause> pauses = new HashMap<>();

    /**
     * The pause of one key.
     *
     * @param since the latest time of the key
     * @param until the end of the pause
     */
    private record Pause(long since, long until) {
        static final Pause NONE = new Pause(Long.MIN_VALUE, Long.MIN_VALUE);

        long time(long micros) {
            return Math.max(micros, since);
        }

        long rest(long micros) {
            return until > time(micros) ? until - time(micros) : 0;
        }
    }

    ConstantLimitModel(Limit limit, Decision decision) {
        this.limit = limit;
        this.decision = decision;
    }

    @Override
    public Limit limit() {
        return limit;
    }

    private Pause pause(String key) {
        return pauses.getOrDefault(key, Pause.NONE);
    }

    /** The rest of the pause; 0 for a limit that denies anyway. */
    private long rest(String key, long micros) {
        return decision.allowed() ? pause(key).rest(micros) : 0;
    }

    @Override
    public void pause(String key, long duration, long micros) {
        if (duration > 0) {
            long time = pause(key).time(micros);
            pauses.put(key, new Pause(time, Math.max(pause(key).until(), time + duration)));
        }
    }

    @Override
    public long pauseLeft(String key, long micros) {
        return pause(key).rest(micros);
    }

    @Override
    public Verdict judge(String key, long permits, long micros) {
        return new Verdict(decision.allowed() && rest(key, micros) == 0, 0);
    }

    @Override
    public Decision report(String key, long permits, Verdict verdict, long micros) {
        long rest = rest(key, micros);
        if (rest == 0) {
            return decision;
        }
        return new Decision(verdict.allowed(), 0, verdict.allowed() ? 0 : rest, 0, rest);
    }

    @Override
    public long untilUsable(String key, long permits, long micros) {
        return Math.max(decision.retryAfterMicros(), rest(key, micros));
    }

    @Override
    public boolean allowsDebt(String key, long permits, long micros) {
        return decision.allowed() && rest(key, micros) == 0;
    }

    @Override
    public void take(String key, long permits, long micros) {}

    @Override
    public void deny(String key, long permits, long micros) {}

    @Override
    public void refund(String key, long permits, long micros) {}

    @Override
    public void penalize(String key, long permits, long micros) {}

    @Override
    public void reset(String key) {
        pauses.remove(key);
    }

    @Override
    public void take(ModelReservation reservation, long micros) {}

    @Override
    public void cancel(ModelReservation reservation, long micros) {}

    @Override
    public void settle(ModelReservation reservation, long actual, long micros) {}

    @Override
    public LimitModel copy() {
        return this;
    }

    @Override
    public boolean isLike(LimitModel other) {
        return equals(other);
    }

    @Override
    public LimitModel update(Limit next, long micros) {
        LimitModel successor = LimitModel.of(next);
        pauses.forEach((key, pause) -> successor.pause(key, pause.rest(micros), pause.time(micros)));
        return successor;
    }
}
