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
import io.sluice.LimiterListener;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.StoreListener;
import io.sluice.TimeSource;
import io.sluice.redis.call.HoldsText;
import io.sluice.redis.call.KeyCharge;
import io.sluice.redis.call.LimiterContext;
import io.sluice.redis.call.NamedHolds;
import io.sluice.redis.call.ReservationId;
import io.sluice.redis.connect.Connector;
import io.sluice.redis.connect.KeyDeleter;
import io.sluice.redis.connect.RedisUris;
import io.sluice.redis.script.Arguments;
import io.sluice.redis.script.KeyNames;
import io.sluice.spi.EnteredCharges;
import io.sluice.spi.KeptNow;
import io.sluice.spi.LimiterSpec;
import io.sluice.spi.ListenedCharges;
import io.sluice.spi.ListenedLimiter;
import io.sluice.spi.PolicyStore;
import io.sluice.spi.Publication;
import io.sluice.spi.ReservedCharges;
import io.sluice.spi.SettledCharge;
import io.sluice.spi.SharedNotes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * A store that keeps the state in Redis: all processes with the same Redis and prefix share one limit. Redis decides, by its
 * own clock, in one round trip.
 *
 * <pre>{@code
 * RedisStore store = RedisStore.connect("redis://localhost");
 * RateLimiter api = store.limiter("api", Limit.parse("600/min burst 100"));
 * }</pre>
 *
 * <p>A call never takes longer than the {@linkplain Builder#deadline deadline} and never throws because of Redis: when
 * Redis is slow or away, the limiter's {@link OnFailure} answers, and {@code Decision.degraded()} says so. Time in which the
 * whole process stands still, for example during a garbage collection, does not count. A store can be created before Redis
 * can be reached.
 *
 * <p>A waiting caller is not allowed just because Redis is away: {@code acquire}, and {@code tryAcquire} with a timeout, wait
 * for Redis until their timeout or {@code close}. Only a limiter whose own {@link LimiterOptions} say {@link OnFailure#ALLOW}
 * allows waiting callers. With {@link OnFailure#LOCAL}, they wait for permits of the local share.
 *
 * <p>Redis stores the limits of each limiter by its name. A process that configures other limits follows those in force (see
 * {@link LimiterOptions#revision()}). {@link RateLimiter#update} changes them for all processes within a second.
 *
 * <p>Stages complete on a thread that talks to Redis: do not block in stages that depend on them. Stages of callers that wait
 * for permits complete on the {@linkplain Builder#executor executor}.
 */
public final class RedisStore implements PolicyStore {
    private static final long DELETING_NANOS = 60_000_000_000L;

    final StoreParts parts;

    private final OnFailure onFailure;
    private final Map<String, RedisCallLimiter> callLimiters = new HashMap<>();

    private RedisStore(Builder builder, Connector connector) {
        onFailure = builder.onFailure;
        parts = new StoreParts(
                connector,
                new KeyNames(builder.prefix),
                new StoreParts.Times(builder.deadline.toNanos(), builder.connectWait.toNanos(), builder.virtualTime),
                builder.listener,
                builder.executor);
    }

    /**
     * Creates a store with the defaults of {@link #builder()}.
     *
     * @param uri {@code redis://[[user]:password@]host[:port][/database]}, {@code rediss://} for TLS, or {@code
     *     redis-sentinel://host[:port][,host...]#master}; the URI of one server of a cluster stands for the whole cluster
     * @param more further servers of the same cluster, which are tried if the first cannot be reached
     * @throws IllegalArgumentException if a URI is invalid
     */
    public static RedisStore connect(String uri, String... more) {
        return builder().uri(uri, more).build();
    }

    /** Creates a store on connections of a client. The caller shuts the client down. */
    public static RedisStore of(RedisClient client) {
        return builder().client(client).build();
    }

    /** Creates a store on connections of a client. The caller shuts the client down. */
    public static RedisStore of(RedisClusterClient client) {
        return builder().client(client).build();
    }

    /** Creates a store on one connection, of any codec. The caller closes the connection. */
    public static RedisStore of(StatefulRedisConnection<?, ?> connection) {
        return builder().connection(connection).build();
    }

    /** Creates a store on one connection, of any codec. The caller closes the connection. */
    public static RedisStore of(StatefulRedisClusterConnection<?, ?> connection) {
        return builder().connection(connection).build();
    }

    /** A builder with the prefix {@code sluice}, a deadline of 100 ms, and {@link OnFailure#ALLOW}. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Whether Redis answers at present, as far as this process knows: there is a connection, no server has just failed to
     * answer, no call was answered without Redis since its latest answer in time, and this process has agreed with Redis on
     * the limits of its limiters. This method sends nothing to Redis, so it can be called often, for example to report whether
     * a service is ready. It becomes true again soon after Redis is back, even if there are no calls meanwhile.
     */
    public boolean isAvailable() {
        return parts.health.isGood() && parts.limiters.areAgreed();
    }

    /** The number of processes that use this Redis and prefix, as far as this process knows; at least 1. */
    public int processes() {
        return parts.processes.count();
    }

    /**
     * {@inheritDoc}
     *
     * <p>If Redis has other limits for that name, those are in force; see {@link RateLimiter#limits()}.
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
        return ListenedLimiter.of(
                parts.limiters.limiter(name, options, explicit, Arguments.limits(limit, more)), options);
    }

    @Override
    public List<RateLimiter> limiters(List<LimiterSpec> specs) {
        return parts.limiters.hold(specs);
    }

    @Override
    public void release(List<RateLimiter> released) {
        parts.limiters.release(released);
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
            if (parts.limiters.isKnown(name)) {
                throw new IllegalStateException(
                        "call limiter \"" + name + "\": exists as a limiter (expected: another name)");
            }
            CallLimiter limiter =
                    callLimiters.computeIfAbsent(name, unused -> parts.factory.callLimiter(name, options));
            return options.listener() == LimiterListener.NONE ? limiter : limiter.withListener(options.listener());
        }
    }

    /** Throws if a call limiter has that name. */
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
     * <p>If Redis cannot be reached, the limits come into force when it is back.
     */
    @Override
    public List<RateLimiter> enforce(List<LimiterSpec> specs) {
        specs.forEach(spec -> requireNoCalls(spec.name()));
        return parts.limiters.enforce(specs);
    }

    @Override
    public List<List<Limit>> limits(List<RateLimiter> limiters) {
        return parts.config.adoption().limits(limiters);
    }

    @Override
    public Publication publication(String name) {
        return parts.publication(Objects.requireNonNull(name, "name"));
    }

    /** The notes of a name. All processes with the same Redis and prefix share them. For the service. */
    public SharedNotes notes(String name) {
        return parts.notes(Objects.requireNonNull(name, "name"));
    }

    @Override
    public Decisions decide(List<Charge> charges) {
        ListenedCharges listened = ListenedCharges.of(charges);
        return listened.report(parts.jointDecisions.decide(KeyCharges.used(listened.charges(), parts.services)));
    }

    @Override
    public CompletionStage<Decisions> decideAsync(List<Charge> charges) {
        try {
            ListenedCharges listened = ListenedCharges.of(charges);
            CompletionStage<Decisions> stage =
                    parts.jointDecisions.decideAsync(KeyCharges.used(listened.charges(), parts.services));
            if (listened.areListened()) {
                // The same stage is returned, because cancelling it gives the permits back.
                stage.whenComplete((decisions, failure) -> {
                    if (failure == null) {
                        listened.report(decisions);
                    }
                });
            }
            return stage;
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletionStage<ReservedCharges> reserveAsync(List<Charge> charges, Duration ttl) {
        try {
            ListenedCharges listened = ListenedCharges.of(charges);
            CompletionStage<ReservedCharges> stage = parts.jointDecisions.reserveAsync(
                    KeyCharges.used(listened.charges(), parts.services), Arguments.micros("ttl", ttl));
            if (listened.areListened()) {
                // The same stage is returned, because cancelling it gives the permits back.
                stage.whenComplete((reserved, failure) -> {
                    if (failure == null) {
                        listened.report(reserved.decisions());
                    }
                });
            }
            return stage;
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletionStage<List<SettledCharge>> settleAsync(String id, long actual, KeptNow kept) {
        try {
            Arguments.require("", actual);
            ReservationId reservation = ReservationId.parse(id);
            List<ReservationId.Reserved> reserved = reservation.charges();
            List<@Nullable KeyCharge> charges = new ArrayList<>(reserved.size());
            List<KeyCharge> known = new ArrayList<>(reserved.size());
            for (ReservationId.Reserved each : reserved) {
                LimiterContext limiter = context(each.calls(), each.limiter());
                KeyCharge charge = limiter == null
                        ? null
                        : KeyCharges.look(limiter, each.key(), kept.kept(limiter.name(), each.kept()));
                charges.add(charge);
                if (charge != null) {
                    known.add(charge);
                }
            }
            return parts.jointDecisions
                    .settleAsync(reservation, charges, actual)
                    .thenApply(answer -> {
                        List<SettledCharge> settled = new ArrayList<>(known.size());
                        for (int i = 0; i < known.size(); i++) {
                            settled.add(new SettledCharge(
                                    known.get(i).limiter().name(),
                                    known.get(i).key(),
                                    answer.get(i).more(),
                                    answer.get(i).less(),
                                    answer.get(i).decision()));
                        }
                        return settled;
                    });
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletionStage<EnteredCharges> enterAsync(List<Charge> charges) {
        try {
            ListenedCharges listened = ListenedCharges.of(charges);
            CompletionStage<EnteredCharges> stage =
                    parts.jointDecisions.enterAsync(KeyCharges.of(listened.charges(), parts.services));
            if (listened.areListened()) {
                // The same stage is returned, because cancelling it gives the permits back.
                stage.whenComplete((entered, failure) -> {
                    if (failure == null) {
                        listened.report(entered.decisions());
                    }
                });
            }
            return stage;
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletionStage<Void> releaseAsync(String holds) {
        try {
            return parts.jointDecisions.releaseAsync(named(holds));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletionStage<Void> renewAsync(String holds) {
        try {
            return parts.jointDecisions.renewAsync(named(holds));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** The holds of a text on limiters that exist. */
    private List<NamedHolds.OnLimiter> named(String holds) {
        List<NamedHolds.OnLimiter> known = new ArrayList<>();
        for (HoldsText.Named each : HoldsText.parse(holds)) {
            LimiterContext limiter = context(each.calls(), each.limiter());
            if (limiter != null) {
                known.add(new NamedHolds.OnLimiter(limiter, each.key(), each.id()));
            }
        }
        return known;
    }

    /**
     * The limiter of that name in an id; null if it does not exist any more. A call limiter needs not exist here: its limits are stored with
     * the keys, and another process may have charged them.
     */
    private @Nullable LimiterContext context(boolean isCallLimiter, String name) {
        if (isCallLimiter) {
            synchronized (callLimiters) {
                RedisCallLimiter calls = callLimiters.get(name);
                return calls != null
                        ? calls.context
                        : parts.factory.callLimiter(name, LimiterOptions.onFailure(onFailure)).context;
            }
        }
        RedisLimiter limiter = parts.limiters.known(name);
        return limiter == null ? null : limiter.context();
    }

    /**
     * Deletes every key under this store's prefix, including the limits in force. This is for tests and simulations:
     * limiters that are still in use, here or in another process, write their limits again.
     */
    public void deleteAll() {
        CompletableFuture<?> deleted = parts.heartbeat
                .pause()
                .thenCompose(unused -> new KeyDeleter(parts.connection, parts.names.prefix()).deleteAll())
                .whenComplete((unused, failure) -> parts.heartbeat.resume());
        BlockingCall.await("delete keys under \"" + parts.names.prefix() + "\"", deleted, DELETING_NANOS);
    }

    @Override
    public void close() {
        if (parts.connection.stop()) {
            parts.limiters.close();
            parts.heartbeat.stop();
            parts.connection.close();
        }
    }

    /** Builds a {@link RedisStore}. */
    public static final class Builder {
        private @Nullable Connector connector;
        private List<RedisURI> uris = List.of();
        private String prefix = "sluice";
        private Duration deadline = Duration.ofMillis(100);
        private Duration connectWait = Duration.ofSeconds(2);
        private OnFailure onFailure = OnFailure.ALLOW;
        private StoreListener listener = new StoreListener() {};
        private Executor executor = ForkJoinPool.commonPool();
        private @Nullable TimeSource virtualTime;

        private Builder() {}

        /** The address of Redis; see {@link RedisStore#connect}. */
        public Builder uri(String uri, String... more) {
            List<RedisURI> all = new ArrayList<>();
            all.add(RedisUris.parse(uri));
            for (String further : more) {
                all.add(RedisUris.parse(further));
            }
            uris = all;
            return this;
        }

        /** Uses connections of a client. The caller shuts the client down. */
        public Builder client(RedisClient client) {
            connector = Connector.of(Objects.requireNonNull(client, "client"));
            return this;
        }

        /** Uses connections of a client. The caller shuts the client down. */
        public Builder client(RedisClusterClient client) {
            connector = Connector.of(Objects.requireNonNull(client, "client"));
            return this;
        }

        /** Uses one connection. The caller closes it. */
        public Builder connection(StatefulRedisConnection<?, ?> connection) {
            connector = Connector.of(Objects.requireNonNull(connection, "connection"));
            return this;
        }

        /** Uses one connection. The caller closes it. */
        public Builder connection(StatefulRedisClusterConnection<?, ?> connection) {
            connector = Connector.of(Objects.requireNonNull(connection, "connection"));
            return this;
        }

        /** The beginning of all keys. Stores with different prefixes are independent of each other. */
        public Builder prefix(String prefix) {
            this.prefix = new KeyNames(prefix).prefix();
            return this;
        }

        /** The maximum time of a call. After that, it is answered without Redis. */
        public Builder deadline(Duration deadline) {
            if (deadline.compareTo(Duration.ofMillis(1)) < 0 || deadline.compareTo(Duration.ofMinutes(1)) > 0) {
                throw new IllegalArgumentException("deadline: " + deadline + " (expected: 1 ms to 1 min)");
            }
            this.deadline = deadline;
            return this;
        }

        /**
         * The maximum time that {@link #build} waits until Redis can decide: connected, with the scripts loaded. After
         * that, the store works without Redis and keeps trying. The first limiters and the first calls of a store may wait
         * as long once more, unless Redis has refused a connection, so that no call is uncounted only because the process
         * is new. With 0, nothing waits, and every call has the {@linkplain #deadline deadline}.
         */
        public Builder connectWait(Duration connectWait) {
            if (connectWait.isNegative() || connectWait.compareTo(Duration.ofMinutes(1)) > 0) {
                throw new IllegalArgumentException("connectWait: " + connectWait + " (expected: 0 to 1 min)");
            }
            this.connectWait = connectWait;
            return this;
        }

        /** Opens connections by a connector of a test. */
        Builder connector(Connector connector) {
            this.connector = connector;
            return this;
        }

        /**
         * What limiters do when Redis does not answer, unless their own options say otherwise. If {@link OnFailure#ALLOW} is
         * set here only, callers that wait for permits still wait for Redis.
         */
        public Builder onFailure(OnFailure onFailure) {
            this.onFailure = Objects.requireNonNull(onFailure, "onFailure");
            return this;
        }

        /**
         * The executor that completes asynchronous waits, so that their callbacks run there: {@code acquireAsync}, and {@code
         * tryAcquireAsync} with a timeout. The default is the common pool. If it refuses a callback, the timer thread of Sluice
         * runs it.
         */
        public Builder executor(Executor executor) {
            this.executor = Objects.requireNonNull(executor, "executor");
            return this;
        }

        /** The listener for events of the store. */
        public Builder listener(StoreListener listener) {
            this.listener = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /**
         * Decides by this time instead of the clock of Redis. This is for tests and simulations only: keys live for an hour,
         * denials are not remembered, and other processes are neither followed nor counted.
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
            store.parts.start();
            return store;
        }
    }
}
