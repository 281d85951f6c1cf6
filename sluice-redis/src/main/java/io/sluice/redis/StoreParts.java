package io.sluice.redis;

import io.sluice.StoreListener;
import io.sluice.TimeSource;
import io.sluice.redis.call.CallServices;
import io.sluice.redis.call.ColdStart;
import io.sluice.redis.call.DenialMemory;
import io.sluice.redis.call.Events;
import io.sluice.redis.call.Health;
import io.sluice.redis.call.Holds;
import io.sluice.redis.call.JointDecisions;
import io.sluice.redis.call.Lanes;
import io.sluice.redis.call.LocalShares;
import io.sluice.redis.call.Rehearsal;
import io.sluice.redis.connect.Connection;
import io.sluice.redis.connect.ConnectionListener;
import io.sluice.redis.connect.Connector;
import io.sluice.redis.connect.Shards;
import io.sluice.redis.connect.Stalls;
import io.sluice.redis.limits.AgreedLimits;
import io.sluice.redis.limits.Config;
import io.sluice.redis.limits.LimitLog;
import io.sluice.redis.limits.StoreLimiters;
import io.sluice.redis.local.LocalHolds;
import io.sluice.redis.local.LocalKeys;
import io.sluice.redis.script.KeyNames;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Makes the parts of a {@link RedisStore} and gives each part what it needs. Only the store and tests hold it. */
final class StoreParts {
    final KeyNames names;
    final long deadlineNanos;
    final Connection connection;
    final Shards shards = new Shards();
    final LiveProcesses processes = new LiveProcesses();
    final ColdStart coldStart;
    final Health health;
    final Config config;
    final Lanes lanes;
    final CallServices services;
    final JointDecisions jointDecisions;
    final LimiterFactory factory;
    final Limiters limiters;
    final Heartbeat heartbeat;

    private final @Nullable TimeSource virtualTime;
    private final long connectWaitNanos;
    private final DenialMemory denials = new DenialMemory();
    private final LocalShares localShares;
    private final Holds holds;
    private final Map<String, RedisPublication> publications = new ConcurrentHashMap<>();

    /**
     * The times of a store.
     *
     * @param deadlineNanos the maximum time of a call before the store answers without Redis
     * @param connectWaitNanos the maximum time that the start of the store waits for Redis
     * @param virtualTime the time of tests and simulations; null for the clock of Redis
     */
    record Times(
            long deadlineNanos,
            long connectWaitNanos,
            @Nullable TimeSource virtualTime) {}

    /** @param executor completes asynchronous waits */
    StoreParts(Connector connector, KeyNames names, Times times, StoreListener listener, Executor executor) {
        this.names = names;
        deadlineNanos = times.deadlineNanos();
        connectWaitNanos = times.connectWaitNanos();
        virtualTime = times.virtualTime();
        boolean virtual = virtualTime != null;
        Stalls stalls = new Stalls(deadlineNanos);
        Events events = new Events(listener);
        LimitLog limitLog = new LimitLog();
        connection = new Connection(connector, new Reconnects());
        coldStart = new ColdStart(connection, deadlineNanos, connectWaitNanos);
        health = new Health(connection, shards, coldStart, events, denials, this::chargeLocalUse);
        config = new Config(connection, names, virtualTime, deadlineNanos, new KnownLimiters(), limitLog);
        LocalKeys localKeys = new LocalKeys(processes::count, (deadlineNanos + stalls.graceNanos()) / 1000);
        localShares = new LocalShares(localKeys, connection, health, processes::count, virtual);
        lanes = new Lanes(connection, shards, stalls, config, health, coldStart, localShares, deadlineNanos, virtual);
        TimeSource time = virtualTime != null ? virtualTime : TimeSource.system();
        holds = new Holds(time, new LocalHolds(time, processes::count));
        services = new CallServices(names, virtualTime, coldStart, denials, events, health, localShares, lanes, holds);
        jointDecisions = new JointDecisions(connection, config.adoption(), stalls, services);
        factory = new LimiterFactory(services, config, limitLog, deadlineNanos, executor);
        limiters = new Limiters(factory, connection);
        heartbeat = new Heartbeat(connection, names, factory, limiters, publications.values(), processes);
    }

    /** Connects, and waits until Redis can decide. After the connect wait, the store works without Redis and keeps trying. */
    void start() {
        Rehearsal rehearsal = new Rehearsal(services, Math.max(connectWaitNanos, deadlineNanos));
        rehearsal.run(connection.start(), connectWaitNanos);
        heartbeat.start();
    }

    RedisPublication publication(String name) {
        return publications.computeIfAbsent(
                name, unused -> new RedisPublication(connection, names, config, virtualTime, processes.id(), name));
    }

    RedisNotes notes(String name) {
        return new RedisNotes(connection, names, name);
    }

    private void chargeLocalUse() {
        localShares.chargeSome(lanes);
        holds.catchUp();
    }

    private final class Reconnects implements ConnectionListener {
        @Override
        public void connected() {
            denials.forgetAll();
            shards.forgetClocks();
            heartbeat.soon();
            config.enforcement().retry();
            coldStart.release();
        }

        @Override
        public void disconnected() {
            lanes.disconnected();
            denials.forgetAll();
        }

        @Override
        public void connectFailed() {
            coldStart.connectFailed();
        }
    }

    private final class KnownLimiters implements StoreLimiters {
        @Override
        public Collection<AgreedLimits> all() {
            return limiters.all();
        }

        @Override
        public @Nullable AgreedLimits find(String name) {
            return limiters.find(name);
        }

        @Override
        public int processes() {
            return processes.count();
        }

        @Override
        public RuntimeException unavailable(String message) {
            return new RedisUnavailableException(message, null);
        }
    }
}
