package io.sluice.redis.call;

import io.sluice.TimeSource;
import io.sluice.redis.connect.Connection;
import io.sluice.redis.connect.Link;
import io.sluice.redis.connect.Shards;
import io.sluice.redis.connect.Stalls;
import io.sluice.redis.limits.Config;
import io.sluice.redis.limits.LimitAdoption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Has all lanes of a store, and watches the deadlines of their calls. */
public final class Lanes {
    final Connection connection;
    final Shards shards;
    final Stalls stalls;
    final Config config;
    final LimitAdoption adoption;
    final Health health;

    /** Whether requests bring their own time. */
    final boolean virtual;

    /** Hears each decision of Redis. Only tests have one. */
    volatile @Nullable DecisionLog decisionLog;

    private final ColdStart coldStart;
    private final LocalShares localShares;
    private final long sweepMicros;
    private final Lane first;
    private final Map<Integer, Lane> lanes = new ConcurrentHashMap<>();
    private final AtomicBoolean sweeping = new AtomicBoolean();

    public Lanes(
            Connection connection,
            Shards shards,
            Stalls stalls,
            Config config,
            Health health,
            ColdStart coldStart,
            LocalShares localShares,
            long deadlineNanos,
            boolean virtual) {
        this.connection = connection;
        this.shards = shards;
        this.stalls = stalls;
        this.config = config;
        this.adoption = config.adoption();
        this.health = health;
        this.coldStart = coldStart;
        this.localShares = localShares;
        this.virtual = virtual;
        this.sweepMicros = Math.max(1000, Math.min(20_000, deadlineNanos / 5000));
        this.first = new Lane(this, 0);
        lanes.put(0, first);
    }

    /** Sends a call, or answers it without Redis if there is no connection. */
    void submit(Call<?> call) {
        if (coldStart.isOver() || !coldStart.hold(() -> isReady(call), () -> sendUnlessLate(call))) {
            send(call);
        }
    }

    private boolean isReady(Call<?> call) {
        return connection.link() != null && call.limiter.isAgreed();
    }

    private void sendUnlessLate(Call<?> call) {
        if (stalls.isLate(System.nanoTime(), call.deadline)) {
            call.fail();
        } else {
            send(call);
        }
    }

    /** Sends several calls, as {@link #submit} does. Those in one lane travel together. */
    void submitTogether(List<Call<?>> calls) {
        if (!coldStart.isOver()) {
            calls.forEach(this::submit);
            return;
        }
        Set<Lane> used = new LinkedHashSet<>();
        for (Call<?> call : calls) {
            Lane lane = queue(call);
            if (lane != null) {
                used.add(lane);
            }
        }
        used.forEach(this::pump);
    }

    /** Sends a call, even while the store is cold. */
    void send(Call<?> call) {
        Lane lane = queue(call);
        if (lane != null) {
            pump(lane);
        }
    }

    /** Puts a call into its lane, or answers it without Redis. Returns the lane if there is one. */
    private @Nullable Lane queue(Call<?> call) {
        Lane lane = of(call.limiter, call.key);
        if (lane == null) {
            call.fail();
            connection.check();
        } else if (call.sending(lane, localShares)) {
            lane.queue(call);
        } else {
            call.fail();
        }
        return lane;
    }

    /** Blocks until a call has its answer, which it has by its deadline. */
    public <T> T await(Call<T> call) {
        return call.await(stalls);
    }

    /** Lets a test hear each decision of Redis; null ends that. */
    public void logDecisions(@Nullable DecisionLog log) {
        decisionLog = log;
    }

    /** The lane of a key; null if Redis cannot decide it now. */
    @Nullable
    Lane of(LimiterContext limiter, String key) {
        Link link = connection.link();
        if (link == null || !limiter.isAgreed()) {
            return null;
        } else if (!link.isCluster()) {
            return first;
        }
        int slot = link.slotOf(limiter.keyName(key));
        return lanes.computeIfAbsent(slot, unused -> new Lane(this, slot));
    }

    /** Sends the calls that wait in a lane. */
    void pump(Lane lane) {
        lane.pump();
        sweepLater();
    }

    /** Starts the watch over deadlines. It runs as long as calls are on their way. */
    private void sweepLater() {
        if (!sweeping.get() && sweeping.compareAndSet(false, true)) {
            long now = System.nanoTime();
            stalls.watch(now, now + sweepMicros * 1000);
            TimeSource.system().schedule(sweepMicros, this::sweep);
        }
    }

    private void sweep() {
        long now = System.nanoTime();
        stalls.ran(now);
        sweeping.set(false);
        boolean busy = false;
        for (Lane lane : lanes.values()) {
            busy |= lane.sweep(now);
        }
        if (busy) {
            sweepLater();
        }
    }

    /** The connection is lost. Redis will not answer the calls on their way. */
    public void disconnected() {
        lanes.values().forEach(Lane::disconnected);
    }
}
