package io.sluice.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.sluice.Charge;
import io.sluice.Decisions;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.LimiterSpec;
import io.sluice.OnFailure;
import io.sluice.Publication;
import io.sluice.RateLimiter;
import io.sluice.Store;
import io.sluice.StoreListener;
import io.sluice.TimeSource;
import io.sluice.redis.Call.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
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
 * Redis is slow or away, the limiter's {@link OnFailure} answers, and {@code Decision.degraded()} says so. A store may be
 * made before Redis can be reached.
 *
 * <p>The limits of a name are known to Redis. Who brings other limits for a name that is known follows those in force
 * (see {@link LimiterOptions#revision()}); {@link RateLimiter#update} changes them for everybody within a second.
 *
 * <p>Stages complete on a thread that talks to Redis: do not block in what depends on them.
 */
public final class RedisStore implements Store {
    private static final long DELETING_NANOS = 60_000_000_000L;

    private final Connection connection;
    private final KeyNames names;
    private final long deadlineNanos;
    private final OnFailure onFailure;
    private final StoreListener listener;
    private final @Nullable TimeSource virtualTime;
    private final Config config = new Config(this);
    private final DenialMemory denials = new DenialMemory();
    private final LocalShares localShares = new LocalShares(this);
    private final Map<String, RedisLimiter> limiters = new ConcurrentHashMap<>();
    private final Map<String, RedisPublication> publications = new ConcurrentHashMap<>();
    private final Enforcement enforcement = new Enforcement(this);
    private final Map<Integer, Lane> lanes = new ConcurrentHashMap<>();
    private final Map<String, Shard> shards = new ConcurrentHashMap<>();
    private final Lane firstLane = new Lane(this, 0);
    private final Shard firstShard = new Shard();
    private final AtomicBoolean sweeping = new AtomicBoolean();
    private final Pulse pulse;
    private final AtomicBoolean degrading = new AtomicBoolean();
    private volatile boolean closed;

    /** Who hears each decision of Redis, if anybody. */
    volatile @Nullable DecisionLog decisionLog;

    private RedisStore(Builder builder, Connector connector) {
        names = new KeyNames(builder.prefix);
        deadlineNanos = builder.deadline.toNanos();
        onFailure = builder.onFailure;
        listener = builder.listener;
        virtualTime = builder.virtualTime;
        connection = new Connection(this, connector);
        pulse = new Pulse(this);
        lanes.put(0, firstLane);
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

    /** Whether Redis answers at present, as far as is known. */
    public boolean isAvailable() {
        Link link = link();
        return link != null && link.isOpen() && allShards().stream().noneMatch(Shard::isOpen) && !degrading.get();
    }

    /** How many processes use this Redis and prefix, as far as is known; at least 1. */
    public int processes() {
        return pulse.processes();
    }

    /**
     * {@inheritDoc}
     *
     * <p>If Redis knows other limits of that name, those are in force, not these; see {@link RateLimiter#limits()}.
     */
    @Override
    public RateLimiter limiter(String name, Limit limit, Limit... more) {
        return limiter(name, LimiterOptions.onFailure(onFailure), limit, more);
    }

    @Override
    public RateLimiter limiter(String name, LimiterOptions options, Limit limit, Limit... more) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(options, "options");
        List<Limit> limits = RedisLimiter.allOf(limit, more);
        RedisLimiter limiter = made(name, options, limits);
        if (!limiter.brought().equals(limits) && !limiter.limits().equals(limits)) {
            throw new IllegalStateException("limiter \"" + name + "\": exists with " + limiter.limits() + ", not "
                    + limits + " (expected: the same limits, or update)");
        }
        if (!limiter.isAgreed()) {
            agree(limiter);
        }
        return limiter;
    }

    private RedisLimiter made(String name, LimiterOptions options, List<Limit> limits) {
        return limiters.compute(
                name, (unused, known) -> known == null ? new RedisLimiter(this, name, options, limits) : known.open());
    }

    /**
     * {@inheritDoc}
     *
     * <p>If Redis cannot be reached, this is done as soon as it can.
     */
    @Override
    public List<RateLimiter> enforce(List<LimiterSpec> specs) {
        List<RedisLimiter> enforced = new ArrayList<>(specs.size());
        for (LimiterSpec spec : specs) {
            List<Limit> limits = List.of(spec.limit());
            RedisLimiter limiter = made(spec.name(), spec.options(), limits);
            limiter.bring(spec.options(), limits);
            enforced.add(limiter);
        }
        if (!specs.isEmpty()) {
            enforcement.enforce(enforced, specs);
        }
        return List.copyOf(enforced);
    }

    @Override
    public List<List<Limit>> limits(List<RateLimiter> limiters) {
        return config.limits(limiters);
    }

    @Override
    public Publication publication(String name) {
        return publications.computeIfAbsent(
                Objects.requireNonNull(name, "name"), unused -> new RedisPublication(this, name));
    }

    Collection<RedisPublication> publications() {
        return publications.values();
    }

    /** Waits for Redis a little; if that is too short, the limiter starts without it. */
    private void agree(RedisLimiter limiter) {
        try {
            config.agree(limiter).get(Math.max(deadlineNanos, 1_000_000_000L), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            connection.check();
        }
    }

    @Override
    public Decisions decide(List<Charge> charges) {
        try {
            return decideAsync(charges).toCompletableFuture().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    @Override
    public CompletionStage<Decisions> decideAsync(List<Charge> charges) {
        try {
            return new JointDecision(this, charges).decide();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Deletes every key under this store's prefix, configuration included. Meant for tests and simulations: limiters that
     * are used further, here or in another process, bring their configuration again.
     */
    public void deleteAll() {
        CompletableFuture<?> deleted = pulse.pause()
                .thenCompose(unused -> new Sweeper(this).deleteAll())
                .whenComplete((unused, failure) -> pulse.resume());
        await("delete keys under \"" + names.prefix() + "\"", deleted, DELETING_NANOS);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            limiters.values().forEach(RateLimiter::close);
            pulse.stop();
            connection.close();
        }
    }

    boolean isClosed() {
        return closed;
    }

    @Nullable
    TimeSource virtualTime() {
        return virtualTime;
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    KeyNames names() {
        return names;
    }

    Config config() {
        return config;
    }

    DenialMemory denials() {
        return denials;
    }

    LocalShares localShares() {
        return localShares;
    }

    Connection connection() {
        return connection;
    }

    /** A limiter that was made already. */
    RedisLimiter known(String name) {
        return Objects.requireNonNull(limiters.get(name), name);
    }

    Collection<RedisLimiter> limiters() {
        return limiters.values();
    }

    @Nullable
    Link link() {
        return connection.link();
    }

    Shard shard(@Nullable Link link, int slot) {
        return link == null || !link.isCluster()
                ? firstShard
                : shards.computeIfAbsent(link.shardOf(slot), unused -> new Shard());
    }

    private List<Shard> allShards() {
        List<Shard> all = new ArrayList<>(shards.values());
        all.add(firstShard);
        return all;
    }

    /** Sends a call, or has it answered without Redis if that is not there. */
    void submit(Call<?> call) {
        Link link = link();
        if (link == null || !call.limiter.isAgreed()) {
            call.fail();
            connection.check();
            return;
        }
        Lane lane = firstLane;
        if (link.isCluster()) {
            int slot = link.slotOf(call.limiter.keyName(call.key));
            lane = lanes.computeIfAbsent(slot, unused -> new Lane(this, slot));
        }
        lane.submit(call);
        sweepLater();
    }

    /** Watches deadlines, as long as anything is on its way. */
    private void sweepLater() {
        if (!sweeping.get() && sweeping.compareAndSet(false, true)) {
            TimeSource.system().schedule(Math.max(1000, Math.min(20_000, deadlineNanos / 5000)), this::sweep);
        }
    }

    private void sweep() {
        sweeping.set(false);
        boolean busy = false;
        long now = System.nanoTime();
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
        denials.forgetAll();
    }

    /** A connection is there, perhaps to another server. */
    void connected() {
        denials.forgetAll();
        allShards().forEach(Shard::forgetClock);
        pulse.soon();
        enforcement.retry();
    }

    void called(Batch batch, long nanos) {
        connection.answered();
        if (degrading.get() && degrading.compareAndSet(true, false)) {
            denials.forgetAll();
        }
        hear(() -> listener.called(batch.size(), nanos));
    }

    void failed(@Nullable Link link, Shard shard, Batch batch, Throwable cause) {
        shard.failed();
        hear(() -> listener.failed(batch.size(), cause));
        connection.failed(link, cause);
    }

    /** Redis has answered, but not decided. */
    void refused(Batch batch, Throwable cause) {
        hear(() -> listener.failed(batch.size(), cause));
    }

    void degraded(RedisLimiter limiter) {
        degrading.set(true);
        hear(() -> listener.degraded(limiter.name(), limiter.fallback().how()));
    }

    void lost(RedisLimiter limiter, Verb verb) {
        hear(() -> listener.lost(limiter.name(), verb.name().toLowerCase(java.util.Locale.ROOT)));
    }

    void denialRemembered(RedisLimiter limiter) {
        hear(() -> listener.denialRemembered(limiter.name()));
    }

    void following(RedisLimiter limiter, List<Limit> brought, List<Limit> inForce) {
        if (!brought.equals(inForce)) {
            hear(() -> listener.limitsDiffer(limiter.name(), brought, inForce));
        }
    }

    private static void hear(Runnable event) {
        try {
            event.run();
        } catch (Throwable ignored) {
            // A listener must not be able to break a decision.
        }
    }

    /** For what nothing but Redis can answer. */
    <T> T await(String what, CompletableFuture<T> answer) {
        return await(what, answer, Math.max(deadlineNanos, 2_000_000_000L));
    }

    private static <T> T await(String what, CompletableFuture<T> answer, long nanos) {
        try {
            return answer.get(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RedisUnavailableException(what + ": interrupted", e);
        } catch (TimeoutException e) {
            throw new RedisUnavailableException(what + ": no answer from Redis", e);
        } catch (ExecutionException e) {
            throw new RedisUnavailableException(what + ": " + e.getCause(), e.getCause());
        }
    }

    /** What a {@link RedisStore} is made of. */
    public static final class Builder {
        private @Nullable Connector connector;
        private List<RedisURI> uris = List.of();
        private String prefix = "sluice";
        private Duration deadline = Duration.ofMillis(100);
        private OnFailure onFailure = OnFailure.ALLOW;
        private StoreListener listener = new StoreListener() {};
        private @Nullable TimeSource virtualTime;

        private Builder() {}

        /** Where Redis is; see {@link RedisStore#connect}. */
        public Builder uri(String uri, String... more) {
            List<RedisURI> all = new ArrayList<>();
            all.add(Uris.parse(uri));
            for (String further : more) {
                all.add(Uris.parse(further));
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

        /** What limiters do when Redis does not answer, unless they say otherwise. */
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
            store.connection.start();
            store.pulse.start();
            return store;
        }
    }
}
