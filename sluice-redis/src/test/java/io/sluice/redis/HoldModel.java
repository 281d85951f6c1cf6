package io.sluice.redis;

import io.sluice.Concurrency;
import io.sluice.Decision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a concurrency limit decides for one key, as literally as possible. */
final class HoldModel {
    private Concurrency limit;

    /** When each hold lapses. */
    private final Map<Integer, Long> holds = new HashMap<>();

    private long last;

    HoldModel(Concurrency limit) {
        this.limit = limit;
    }

    void update(Concurrency changed) {
        limit = changed;
    }

    private List<Long> arrive(long t) {
        List<Long> lapses = new ArrayList<>(holds.values());
        lapses.removeIf(lapse -> lapse <= t);
        lapses.sort(null);
        return lapses;
    }

    Decision look(long now, long asked) {
        long t = Math.max(now, last);
        List<Long> lapses = arrive(t);
        long free = limit.permits() - lapses.size();
        long reset = lapses.isEmpty() ? 0 : lapses.get(lapses.size() - 1) - t;
        boolean allowed = asked <= free;
        long retry = allowed ? 0 : lapses.get((int) (asked - free) - 1) - t;
        return new Decision(allowed, Math.max(0, free), retry, 0, reset, Math.max(0, -free), false);
    }

    Decision enter(long now, int id) {
        Decision look = look(now, 1);
        if (!look.allowed()) {
            return look;
        }
        hold(Math.max(now, last), id);
        return look(now, 0);
    }

    private void hold(long t, int id) {
        last = t;
        holds.put(id, t + limit.hold().toMillis() * 1000);
    }

    boolean holds(long now, int id) {
        return holds.getOrDefault(id, Long.MIN_VALUE) > Math.max(now, last);
    }

    boolean release(long now, int id) {
        boolean held = holds(now, id);
        if (held) {
            last = Math.max(now, last);
            holds.remove(id);
            if (arrive(last).isEmpty()) {
                // A fresh key knows nothing, not even the time.
                reset();
            }
        }
        return held;
    }

    boolean renew(long now, int id) {
        boolean held = holds(now, id);
        if (held) {
            hold(Math.max(now, last), id);
        }
        return held;
    }

    void reset() {
        holds.clear();
        last = 0;
    }
}
