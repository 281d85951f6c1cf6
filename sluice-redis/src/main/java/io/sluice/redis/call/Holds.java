package io.sluice.redis.call;

import io.sluice.TimeSource;
import io.sluice.redis.limits.AgreedLimits;
import io.sluice.redis.local.LimiterKey;
import io.sluice.redis.local.LocalHolds;
import io.sluice.spi.HoldKeeper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/*
 * A hold that could not be given back, because Redis did not answer, would count until it lapses. So it is given back when Redis
 * answers again. That can be done any number of times: the id of a hold is never used again.
 */
/** The holds of this process: renews them, gives them back, and adds those to Redis that were made without it. */
public final class Holds {
    /** More holds than this are left to lapse. */
    private static final int MOST_LATER = 10_000;

    /** The number of holds that are given back or added at a time in the background. */
    private static final int AT_ONCE = 256;

    private static final long RETRY_NANOS = 500_000_000L;

    final LocalHolds local;
    private final TimeSource time;
    private final HoldKeeper keeper;
    private final Queue<Unanswered> later = new ConcurrentLinkedQueue<>();
    private final AtomicInteger laterSize = new AtomicInteger();
    private final AtomicLong retried = new AtomicLong(System.nanoTime() - RETRY_NANOS);

    /** The limiters with holds in {@link #local}. */
    private final Map<AgreedLimits, LimiterContext> limiters = new ConcurrentHashMap<>();

    /** A hold that Redis was asked to end, without an answer. It lapses by itself at some time. */
    private record Unanswered(Hold hold, long lapse) {}

    /** @param time the clock by which holds are renewed */
    public Holds(TimeSource time, LocalHolds local) {
        this.time = time;
        this.local = local;
        this.keeper = new HoldKeeper(time);
    }

    long micros() {
        return time.micros();
    }

    /** Renews a permit from now on. */
    HoldKeeper.Kept keep(RedisPermit permit, long everyMicros) {
        return keeper.every(everyMicros).keep(permit);
    }

    /** Redis holds a permit for this process. */
    void entered(Hold hold, long lapse) {
        limiters.putIfAbsent(hold.limiter().agreement, hold.limiter());
        local.entered(localKey(hold), hold.id(), lapse);
    }

    /** This process holds a permit of its local share. */
    void enteredLocally(LimiterContext limiter) {
        limiters.putIfAbsent(limiter.agreement, limiter);
    }

    static LimiterKey localKey(Hold hold) {
        return hold.limiter().localKey(hold.key());
    }

    /** Gives a hold back. */
    CompletableFuture<HoldAnswer> leave(Hold hold) {
        LeaveCall call = leaving(hold);
        if (call == null) {
            return CompletableFuture.completedFuture(HoldAnswer.DONE);
        }
        hold.limiter().submit(call);
        return call;
    }

    /** Gives several holds back. Those in one lane travel together. */
    static List<CompletableFuture<HoldAnswer>> leave(List<Hold> holds, Lanes lanes) {
        List<CompletableFuture<HoldAnswer>> answers = new ArrayList<>(holds.size());
        List<Call<?>> calls = new ArrayList<>(holds.size());
        for (Hold hold : holds) {
            LeaveCall call = hold.limiter().holds().leaving(hold);
            answers.add(call == null ? CompletableFuture.completedFuture(HoldAnswer.DONE) : call);
            if (call != null) {
                calls.add(call);
            }
        }
        lanes.submitTogether(calls);
        return answers;
    }

    /** The call that gives a hold back; null if Redis does not know the hold, which is given back now. */
    private @Nullable LeaveCall leaving(Hold hold) {
        if (local.left(localKey(hold), hold.id())) {
            hold.limiter().changes().gaveBack(hold.key());
            return null;
        }
        LeaveCall call = LeaveCall.leave(hold.limiter(), hold.key(), hold.id());
        call.thenAccept(answer -> {
            if (answer == HoldAnswer.UNKNOWN) {
                leaveLater(hold);
            }
        });
        return call;
    }

    /** Gives a hold back when Redis answers again, if there is one. */
    void leaveLater(Hold hold) {
        leaveLater(hold, micros() + hold.limiter().holdMicros());
    }

    private void leaveLater(Hold hold, long lapse) {
        if (laterSize.incrementAndGet() <= MOST_LATER) {
            later.add(new Unanswered(hold, lapse));
        } else {
            laterSize.decrementAndGet();
        }
    }

    /** Adds the holds of a key that Redis does not know, ahead of the next call in a lane. */
    void readmit(LimiterContext limiter, String key, Lane lane) {
        for (long id : local.owed(limiter.localKey(key))) {
            lane.queue(readmission(limiter, key, id));
        }
    }

    private LeaveCall readmission(LimiterContext limiter, String key, long id) {
        LeaveCall call = LeaveCall.readmit(limiter, key, id);
        call.thenAccept(answer -> {
            boolean added = answer == HoldAnswer.DONE;
            if (local.readmitted(limiter.localKey(key), id, added)) {
                // It was given back meanwhile.
                leave(new Hold(limiter, key, id));
            }
        });
        return call;
    }

    /** Redis has answered in time: does some of what it could not do while it was away. */
    public void catchUp() {
        if (later.isEmpty() && local.isEmpty()) {
            return;
        }
        long before = retried.get();
        long now = System.nanoTime();
        if (now - before < RETRY_NANOS || !retried.compareAndSet(before, now)) {
            return;
        }
        for (int i = 0; i < AT_ONCE; i++) {
            Unanswered next = later.poll();
            if (next == null) {
                break;
            }
            laterSize.decrementAndGet();
            long left = next.lapse() - micros();
            if (left > 0) {
                LeaveCall call = LeaveCall.leave(
                        next.hold().limiter(), next.hold().key(), next.hold().id());
                call.thenAccept(answer -> {
                    if (answer == HoldAnswer.UNKNOWN) {
                        leaveLater(next.hold(), next.lapse());
                    }
                });
                next.hold().limiter().submit(call);
            }
        }
        readmitSome();
    }

    private void readmitSome() {
        int count = 0;
        for (LimiterKey key : local.keys()) {
            LimiterContext limiter = limiters.get(key.limiter());
            if (limiter != null && count < AT_ONCE) {
                for (long id : local.owed(key)) {
                    limiter.submit(readmission(limiter, key.key(), id));
                    count++;
                }
            }
        }
    }
}
