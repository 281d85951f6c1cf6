package io.sluice.redis;

import io.sluice.TimeSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** All lanes of a store, and the watch over the deadlines of what is on its way there. */
final class Lanes {
    private final RedisStore store;
    private final Lane first;
    private final Map<Integer, Lane> lanes = new ConcurrentHashMap<>();
    private final AtomicBoolean sweeping = new AtomicBoolean();

    Lanes(RedisStore store) {
        this.store = store;
        this.first = new Lane(store, 0);
        lanes.put(0, first);
    }

    /** Sends a call, or has it answered without Redis if that is not there. */
    void submit(Call<?> call) {
        ColdStart cold = store.coldStart;
        if (cold.isOver() || !cold.hold(() -> isReady(call), () -> sendUnlessLate(call))) {
            send(call);
        }
    }

    private boolean isReady(Call<?> call) {
        return store.link() != null && call.limiter.isAgreed();
    }

    private void sendUnlessLate(Call<?> call) {
        if (call.isLate(System.nanoTime())) {
            call.fail();
        } else {
            send(call);
        }
    }

    /** Sends a call now. */
    void send(Call<?> call) {
        Lane lane = of(call.limiter, call.key);
        if (lane == null) {
            call.fail();
            store.connection.check();
        } else if (call.sending(lane)) {
            lane.queue(call);
            pump(lane);
        } else {
            call.fail();
            pump(lane);
        }
    }

    /** The lane of a key, if Redis can be asked. */
    @Nullable
    Lane of(RedisLimiter limiter, String key) {
        Link link = store.link();
        if (link == null || !limiter.isAgreed()) {
            return null;
        } else if (!link.isCluster()) {
            return first;
        }
        int slot = link.slotOf(limiter.keyName(key));
        return lanes.computeIfAbsent(slot, unused -> new Lane(store, slot));
    }

    /** Sends what stands in the queue of a lane. */
    void pump(Lane lane) {
        lane.pump();
        sweepLater();
    }

    /** Watches deadlines, as long as anything is on its way. */
    private void sweepLater() {
        if (!sweeping.get() && sweeping.compareAndSet(false, true)) {
            long micros = Math.max(1000, Math.min(20_000, store.deadlineNanos / 5000));
            long now = System.nanoTime();
            store.stalls.watch(now, now + micros * 1000);
            TimeSource.system().schedule(micros, this::sweep);
        }
    }

    private void sweep() {
        long now = System.nanoTime();
        store.stalls.ran(now);
        sweeping.set(false);
        boolean busy = false;
        for (Lane lane : lanes.values()) {
            busy |= lane.sweep(now);
        }
        if (busy) {
            sweepLater();
        }
    }

    /** Nothing that was sent will be answered. */
    void disconnected() {
        lanes.values().forEach(Lane::disconnected);
    }
}
