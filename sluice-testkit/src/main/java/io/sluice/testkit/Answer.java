package io.sluice.testkit;

import io.sluice.Decision;
import io.sluice.Limit;
import java.util.HashMap;
import java.util.Map;

/** A limit that counts nothing and always gives the same answer: unlimited, or blocked. Unlimited keys may be paused. */
final class Answer implements Ledger {
    private final Limit limit;
    private final Decision decision;
    private final Map<String, Pause> pauses = new HashMap<>();

    /**
     * A pause of one key.
     *
     * @param since the latest time that the key has seen
     * @param until when it ends
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

    Answer(Limit limit, Decision decision) {
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

    /** Only what would be allowed otherwise. */
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
    public long pauseRest(String key, long micros) {
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
    public long untilDue(String key, long permits, long micros) {
        return Math.max(decision.retryAfterMicros(), rest(key, micros));
    }

    @Override
    public boolean lends(String key, long permits, long micros) {
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
    public void take(Hold hold, long micros) {}

    @Override
    public void cancel(Hold hold, long micros) {}

    @Override
    public Ledger copy() {
        return this;
    }

    @Override
    public boolean isLike(Ledger other) {
        return equals(other);
    }

    @Override
    public Ledger update(Limit next, long micros) {
        Ledger successor = Ledger.of(next);
        pauses.forEach((key, pause) -> successor.pause(key, pause.rest(micros), pause.time(micros)));
        return successor;
    }
}
