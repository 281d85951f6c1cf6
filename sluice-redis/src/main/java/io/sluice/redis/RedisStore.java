package io.sluice.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.sluice.CallLimiter;
import io.sluice.Charge;
import io.sluice.Decisions;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.StoreListener;
import io.sluice.TimeSource;
import io.sluice.redis.call.CallServices;
import io.sluice.redis.call.ColdStart;
import io.sluice.redis.call.DenialMemory;
import io.sluice.redis.call.Events;
import io.sluice.redis.call.Health;
import io.sluice.redis.call.JointDecisions;
import io.sluice.redis.call.Lanes;
import io.sluice.redis.call.LocalShares;
import io.sluice.redis.call.WarmUp;
import io.sluice.redis.connect.Connection;
import io.sluice.redis.connect.ConnectionListener;
import io.sluice.redis.connect.Connector;
import io.sluice.redis.connect.KeyDeleter;
import io.sluice.redis.connect.RedisUris;
import io.sluice.redis.connect.Shards;
import io.sluice.redis.connect.Stalls;
import io.sluice.redis.limits.AgreedLimits;
import io.sluice.redis.limits.Config;
import io.sluice.redis.limits.LimitLog;
import io.sluice.redis.limits.StoreLimiters;
import io.sluice.redis.local.LocalKeys;
import io.sluice.redis.script.Arguments;
import io.sluice.redis.script.KeyNames;
import io.sluice.spi.LimiterSpec;
import io.sluice.spi.PolicyStore;
import io.sluice.spi.Publication;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the state in Redis: every process that uses the same Redis and prefix sees one limit. Redis decides, by its own
 * clock, in one round trip.
 *
 * <pre>{@code
 * RedisStore store = RedisStore.connect("redis://localhost");
 * RateLimiter api = store.limiter("api", Limit.parse("600/min burst 100"));
 * }</pre>
 *
 * <p>A call never takes longer than the {@linkplain Builder#deadline deadline} and never throws because of Redis: when
 * Redis is slow or away, the limiter's {@link OnFailure} answers, and {@code Decision.degraded()} says so. Only time in
 * which the whole process stands still, to collect garbage for example, does not count. A store may be made before Redis
 * can be reached.
 *
 * <p>Who waits does not go through just because Redis is away: {@code acquire}, and {@code tryAcquire} with a timeout,
 * wait for Redis until their timeout or {@code close}. Only a limiter whose own {@link LimiterOptions} say {@link
 * OnFailure#ALLOW} lets waiters through, and with {@link OnFailure#LOCAL} they wait for this process's share.
 *
 * <p>The limits of a name are known to Redis. Who brings other limits for a name that is known follows those in force
 * (see {@link LimiterOptions#revision()}); {@link RateLimiter#update} changes them for everybody within a second.
 *
 * <p>Stages complete on a thread that talks to Redis: do not block in what depends on them.
 */
public final class RedisStore implements PolicyStore {
    private static final long DELETING_NANOS = 60_000_000_000L;

    final KeyNames names;
    final long deadlineNanos;
    final Connection connection;
    final Shards shards = new Shards();
    final ColdStart coldStart;
    final Lanes lanes;

    private final @Nullable TimeSource virtualTime;
    private final OnFailure onFailure;
    private final LiveProcesses processes = new LiveProcesses();
    private final DenialMemory denials = new DenialMemory();
    private final Health health;
    private final LocalShares localShares;
    private final Config config;
    private final CallServices services;
    private final JointDecisions jointDecisions;
    private final LimiterFactory factory;
    private final Limiters limiters;
    private final Map<String, RedisCallLimiter> callLimiters = new HashMap<>();
    private final Map<String, RedisPublication> publications = new ConcurrentHashMap<>();
    private final Heartbeat heartbeat;

    private RedisStore(Builder builder, Connector connector) {
        names = new KeyNames(builder.prefix);
        deadlineNanos = builder.deadline.toNanos();
        virtualTime = builder.virtualTime;
        onFailure = builder.onFailure;
        boolean virtual = virtualTime != null;
        Stalls stalls = new Stalls();
        Events events = new Events(builder.listener);
        LimitLog limitLog = new LimitLog();
        connection = new Connection(connector, new Reconnects());
        coldStart = new ColdStart(connection, deadlineNanos, builder.connectWait.toNanos());
        health = new Health(connection, shards, coldStart, events, denials, this::chargeLocalUse);
        config = new Config(connection, names, virtualTime, deadlineNanos, new KnownLimiters(), limitLog);
        LocalKeys localKeys = new LocalKeys(processes::count, (deadlineNanos + Stalls.GRACE_NANOS) / 1000);
        localShares = new LocalShares(localKeys, connection, health, processes::count, virtual);
        lanes = new Lanes(connection, shards, stalls, config, health, coldStart, localShares, deadlineNanos, virtual);
        services = new CallServices(names, virtualTime, coldStart, denials, events, health, localShares, lanes);
        jointDecisions = new JointDecisions(connection, config, stalls, services);
        factory = new LimiterFactory(services, config, limitLog, deadlineNanos);
        limiters = new Limiters(factory, connection);
        heartbeat = new Heartbeat(connection, names, factory, limiters, publications.values(), processes);
    }

    /** Connects, and waits until Redis can decide; if that takes longer, goes on without it and keeps trying. */
    private void start(long connectWaitNanos) {
        WarmUp warmUp = new WarmUp(services, Math.max(connectWaitNanos, deadlineNanos));
        warmUp.run(connection.start(), connectWaitNanos);
        heartbeat.start();
    }

    private void chargeLocalUse() {
        localShares.chargeSome(lanes);
    }

    /** Keeps the parts of the store in step with its connection. */
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

    /**
     * A store with the defaults of {@link #builder()}.
     *
     * @param uri {@code redis://[[user]:password@]host[:port][/database]}, {@code rediss://} for TLS, or {@code
     *     redis-sentinel://host[:port][,host...]#master}; a server of a cluster means the whole cluster
     * @param more further servers of the same cluster, in case the first is away at the start
     * @throws IllegalArgumentException if this is no such URI
     */
    public static RedisStore connect(String uri, String... more) {
        return builder().uri(uri, more).build();
    }

    /** A store on connections of that client, which stays the caller's to shut down. */
    public static RedisStore of(RedisClient client) {
        return builder().client(client).build();
    }

    /** A store on connections of that client, which stays the caller's to shut down. */
    public static RedisStore of(RedisClusterClient client) {
        return builder().client(client).build();
    }

    /** A store on that connection, of any codec, which stays the caller's to close. */
    public static RedisStore of(StatefulRedisConnection<?, ?> connection) {
        return builder().connection(connection).build();
    }

    /** A store on that connection, of any codec, which stays the caller's to close. */
    public static RedisStore of(StatefulRedisClusterConnection<?, ?> connection) {
        return builder().connection(connection).build();
    }

    /** Starts a store with the prefix {@code sluice}, a deadline of 100 ms, and {@link OnFailure#ALLOW}. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Whether Redis answers at present, as far as is known: there is a connection, no server has failed to answer just
     * now, and nobody was answered without Redis since its latest answer in time. Asks nothing, so it may be called as
     * often as wanted, for instance to say whether a service is ready. It becomes true again soon after Redis is back,
     * even if no decision is asked for meanwhile.
     */
    public boolean isAvailable() {
        return health.isGood();
    }

    /** How many processes use this Redis and prefix, as far as is known; at least 1. */
    public int processes() {
        return processes.count();
    }

    /**
     * {@inheritDoc}
     *
     * <p>If Redis knows other limits of that name, those are in force, not these; see {@link RateLimiter#limits()}.
     */
    @Override
    public RateLimiter limiter(String name, Limit limit, Limit... more) {
        return limiter(name, LimiterOptions.onFailure(onFailure), false, limit, more);
    }

    @Override
    public RateLimiter limiter(String name, LimiterOptions options, Limit limit, Limit... more) {
        return limiter(name, options, true, limit, more);
    }

    private RateLimiter limiter(String name, LimiterOptions options, boolean explicit, Limit limit, Limit... more) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(options, "options");
        requireNoCalls(name);
        return limiters.limiter(name, options, explicit, Arguments.limits(limit, more));
    }

    @Override
    public List<RateLimiter> limiters(List<LimiterSpec> specs) {
        return limiters.hold(specs);
    }

    @Override
    public void release(List<RateLimiter> released) {
        limiters.release(released);
    }

    @Override
    public CallLimiter callLimiter(String name) {
        return callLimiter(name, LimiterOptions.onFailure(onFailure));
    }

    @Override
    public CallLimiter callLimiter(String name, LimiterOptions options) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(options, "options");
        synchronized (callLimiters) {
            if (limiters.isKnown(name)) {
                throw new IllegalStateException(
                        "call limiter \"" + name + "\": exists as a limiter (expected: another name)");
            }
            return callLimiters.computeIfAbsent(name, unused -> factory.callLimiter(name, options));
        }
    }

    /** Refuses the name of a call limiter. */
    private void requireNoCalls(String name) {
        synchronized (callLimiters) {
            if (callLimiters.containsKey(name)) {
                throw new IllegalStateException(
                        "limiter \"" + name + "\": exists as a call limiter (expected: another name)");
            }
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>If Redis cannot be reached, this is done as soon as it can.
     */
    @Override
    public List<RateLimiter> enforce(List<LimiterSpec> specs) {
        specs.forEach(spec -> requireNoCalls(spec.name()));
        return limiters.enforce(specs);
    }

    @Override
    public List<List<Limit>> limits(List<RateLimiter> limiters) {
        return config.limits(limiters);
    }

    @Override
    public Publication publication(String name) {
        return publications.computeIfAbsent(
                Objects.requireNonNull(name, "name"),
                unused -> new RedisPublication(connection, names, config, virtualTime, processes.id(), name));
    }

    @Override
    public Decisions decide(List<Charge> charges) {
        return jointDecisions.decide(KeyCharges.of(charges, services));
    }

    @Override
    public CompletionStage<Decisions> decideAsync(List<Charge> charges) {
        try {
            return jointDecisions.decideAsync(KeyCharges.of(charges, services));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Deletes every key under this store's prefix, configuration included. Meant for tests and simulations: limiters that
     * are used further, here or in another process, bring their configuration again.
     */
    public void deleteAll() {
        CompletableFuture<?> deleted = heartbeat
                .pause()
                .thenCompose(unused -> new KeyDeleter(connection, names.prefix()).deleteAll())
                .whenComplete((unused, failure) -> heartbeat.resume());
        BlockingCall.await("delete keys under \"" + names.prefix() + "\"", deleted, DELETING_NANOS);
    }

    @Override
    public void close() {
        if (connection.stop()) {
            limiters.close();
            heartbeat.stop();
            connection.close();
        }
    }

    /** What a {@link RedisStore} is made of. */
    public static final class Builder {
        private @Nullable Connector connector;
        private List<RedisURI> uris = List.of();
        private String prefix = "sluice";
        private Duration deadline = Duration.ofMillis(100);
        private Duration connectWait = Duration.ofSeconds(2);
        private OnFailure onFailure = OnFailure.ALLOW;
        private StoreListener listener = new StoreListener() {};
        private @Nullable TimeSource virtualTime;

        private Builder() {}

        /** Where Redis is; see {@link RedisStore#connect}. */
        public Builder uri(String uri, String... more) {
            List<RedisURI> all = new ArrayList<>();
            all.add(RedisUris.parse(uri));
            for (String further : more) {
                all.add(RedisUris.parse(further));
            }
            uris = all;
            return this;
        }

        /** Use connections of that client. */
        public Builder client(RedisClient client) {
            connector = Connector.of(Objects.requireNonNull(client, "client"));
            return this;
        }

        /** Use connections of that client. */
        public Builder client(RedisClusterClient client) {
            connector = Connector.of(Objects.requireNonNull(client, "client"));
            return this;
        }

        /** Use that connection. */
        public Builder connection(StatefulRedisConnection<?, ?> connection) {
            connector = Connector.of(Objects.requireNonNull(connection, "connection"));
            return this;
        }

        /** Use that connection. */
        public Builder connection(StatefulRedisClusterConnection<?, ?> connection) {
            connector = Connector.of(Objects.requireNonNull(connection, "connection"));
            return this;
        }

        /** What all keys begin with; stores with different prefixes know nothing of each other. */
        public Builder prefix(String prefix) {
            this.prefix = new KeyNames(prefix).prefix();
            return this;
        }

        /** How long a call may take before it is answered without Redis. */
        public Builder deadline(Duration deadline) {
            if (deadline.compareTo(Duration.ofMillis(1)) < 0 || deadline.compareTo(Duration.ofMinutes(1)) > 0) {
                throw new IllegalArgumentException("deadline: " + deadline + " (expected: 1 ms to 1 min)");
            }
            this.deadline = deadline;
            return this;
        }

        /**
         * How long {@link #build} waits until Redis can decide: connected, with the scripts loaded. If that takes longer,
         * the store goes on without Redis and keeps trying. The first limiters and the first calls of a store may wait as
         * long once more, as long as Redis has not refused a connection, so that no call goes uncounted only because the
         * process is new. With 0, nothing waits, and every call has the {@linkplain #deadline deadline}.
         */
        public Builder connectWait(Duration connectWait) {
            if (connectWait.isNegative() || connectWait.compareTo(Duration.ofMinutes(1)) > 0) {
                throw new IllegalArgumentException("connectWait: " + connectWait + " (expected: 0 to 1 min)");
            }
            this.connectWait = connectWait;
            return this;
        }

        /** Use what that makes. */
        Builder connector(Connector connector) {
            this.connector = connector;
            return this;
        }

        /**
         * What limiters do when Redis does not answer, unless they say otherwise. With {@link OnFailure#ALLOW} from here,
         * who waits for permits still waits for Redis.
         */
        public Builder onFailure(OnFailure onFailure) {
            this.onFailure = Objects.requireNonNull(onFailure, "onFailure");
            return this;
        }

        /** Who hears what happens. */
        public Builder listener(StoreListener listener) {
            this.listener = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /**
         * Decide by this time instead of Redis's own: for tests and simulations only. Keys then live for an hour, denials
         * are not remembered, and other processes are neither heard nor counted.
         */
        public Builder virtualTime(TimeSource time) {
            this.virtualTime = Objects.requireNonNull(time, "time");
            return this;
        }

        public RedisStore build() {
            if (connector == null && uris.isEmpty()) {
                throw new IllegalStateException("no Redis (expected: uri, client or connection)");
            }
            RedisStore store = new RedisStore(this, connector == null ? Connector.of(uris) : connector);
            store.start(connectWait.toNanos());
            return store;
        }
    }
}
