package io.sluice.benchmarks.redis;

import io.sluice.CalendarPeriod;
import io.sluice.Limit;
import io.sluice.benchmarks.load.Case;
import io.sluice.benchmarks.load.CaseResult;
import io.sluice.benchmarks.load.Contestant;
import io.sluice.benchmarks.load.Executables;
import io.sluice.benchmarks.load.Load;
import io.sluice.benchmarks.load.Measurement;
import io.sluice.benchmarks.load.RedisBenchmark;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates the contestants of each Redis case, with their loads. */
final class RedisContestants implements AutoCloseable {
    static final String MANY_KEYS = "keys-1000-blocking";
    static final String BARE_SCRIPT = "bare-script";
    static final String HOT_KEY = "hot-key-blocking";
    static final String HOT_KEY_ASYNC = "hot-key-async";
    static final String DENIED = "denied";
    static final String SINGLE_THREAD = "single-thread";
    static final String CALENDAR = "calendar";
    static final String WARM_UP = "warm-up";

    static final String ENTER_HOT_KEY = "enter-leave-hot-key";
    static final String ENTER_MANY_KEYS = "enter-leave-keys-1000";

    /** The peer of these two: two checks of Sluice with the same load, because an enter with its leave is two calls. */
    static final String TWO_CHECKS = "two checks";

    /** The peer of these two: the leaky bucket of Sluice with the same load. */
    static final String LEAKY_BUCKET = "leaky-bucket";

    static final List<String> CASES = List.of(
            MANY_KEYS,
            BARE_SCRIPT,
            HOT_KEY,
            HOT_KEY_ASYNC,
            DENIED,
            SINGLE_THREAD,
            CALENDAR,
            WARM_UP,
            ENTER_HOT_KEY,
            ENTER_MANY_KEYS);

    private static final int THREADS = 64;
    private static final int IN_FLIGHT = 2048;

    /** The approximate rate of a Redis. */
    private static final long BARE_PER_SECOND = 30_000;

    private final Redis redis;
    private final Keys keys = new Keys();
    private final SluiceLibrary sluice;
    private final List<Library> peers;
    private final Contestant ping;
    private @Nullable MonitoredLoad denied;

    RedisContestants(Redis redis) {
        this.redis = redis;
        sluice = new SluiceLibrary(redis, keys);
        peers = List.of(new RedissonLibrary(redis), new Bucket4jLibrary(redis));
        ping = new Contestant("PING", "64 threads", new BlockingLoad(THREADS, redis.ping()));
    }

    /** Creates one of {@link #CASES}; empty if it cannot run on this machine. */
    Optional<Case> of(String name) {
        return switch (name) {
            case MANY_KEYS -> Optional.of(withPeers(name, "64 threads, 1,000 keys", this::manyKeys, ping));
            case BARE_SCRIPT ->
                Executables.find(RedisBenchmark.NAME).map(command -> {
                    List<String> call = List.of(
                            "EVALSHA", BareScript.load(redis, keys), "1", keys.prefix() + ":{bare:__rand_int__}");
                    Load script = new RedisBenchmark(
                            command, redis.benchmarkOptions(), THREADS, 1, 1000, BARE_PER_SECOND, call);
                    return new Case(
                            name,
                            sluice("64 threads, 1,000 keys", this::manyKeys),
                            List.of(new Contestant(RedisBenchmark.NAME, "64 clients, 1,000 keys", script)));
                });
            case HOT_KEY ->
                Optional.of(withPeers(
                        name,
                        "64 threads, one key",
                        library -> new BlockingLoad(THREADS, library.taking(keys.many(1))),
                        ping));
            case HOT_KEY_ASYNC ->
                Optional.of(new Case(
                        name,
                        sluice(
                                "2,048 in flight, one key",
                                library -> new AsyncLoad(IN_FLIGHT, sluice.takingAsync(keys.one()))),
                        List.of(ping)));
            case DENIED -> {
                // Some denials are faster than the clock.
                Case all = withPeers(
                        name, "2 threads, denied", library -> new BlockingLoad(2, 100, library.denied(keys.one())));
                denied = (MonitoredLoad) all.sluice().load();
                yield Optional.of(all);
            }
            case SINGLE_THREAD ->
                Optional.of(withPeers(
                        name,
                        "one thread",
                        library -> new BlockingLoad(1, library.taking(keys.many(1))),
                        new Contestant("PING", "one thread", new BlockingLoad(1, redis.ping()))));
            case CALENDAR ->
                Optional.of(besideTheLeakyBucket(
                        name,
                        Limit.calendarWindow(Limits.PLENTY, CalendarPeriod.YEAR, ZoneId.of("Europe/Berlin")),
                        Limit.leakyBucket(Limits.PLENTY, Limits.PLENTY_PERIOD)));
            case WARM_UP ->
                Optional.of(besideTheLeakyBucket(
                        name,
                        Limit.warmUp(Limits.FAST, Duration.ofSeconds(1), Duration.ofSeconds(1)),
                        Limit.leakyBucket(Limits.FAST, Duration.ofSeconds(1))));
            case ENTER_HOT_KEY -> Optional.of(besideTwoChecks(name, "one key", keys.many(1)));
            case ENTER_MANY_KEYS -> Optional.of(besideTwoChecks(name, "1,000 keys", keys.many(1000)));
            default -> throw new IllegalArgumentException(name + " (expected: one of " + CASES + ")");
        };
    }

    private Case besideTwoChecks(String name, String what, List<String> on) {
        return new Case(
                name,
                calling(sluice.who(), what + ", enter and leave", sluice.entering(on)),
                List.of(calling(TWO_CHECKS, what, sluice.takingTwice(on))));
    }

    private Contestant calling(String who, String what, Call call) {
        return new Contestant(who, "64 threads, " + what, sluice.watched(new BlockingLoad(THREADS, call)));
    }

    private Case besideTheLeakyBucket(String name, Limit limit, Limit leakyBucket) {
        return new Case(name, checking(sluice.who(), limit), List.of(checking(LEAKY_BUCKET, leakyBucket)));
    }

    private Contestant checking(String who, Limit limit) {
        Load load = new BlockingLoad(THREADS, sluice.checking(limit, keys.many(1000)));
        return new Contestant(who, "64 threads, 1,000 keys, " + limit.algorithm(), sluice.watched(load));
    }

    private Load manyKeys(Library library) {
        return new BlockingLoad(THREADS, library.taking(keys.many(1000)));
    }

    private Contestant sluice(String what, Function<Library, Load> load) {
        return new Contestant(sluice.who(), what, sluice.watched(load.apply(sluice)));
    }

    /** A case of all libraries with the same load, and more contestants. */
    private Case withPeers(String name, String what, Function<Library, Load> load, Contestant... more) {
        return new Case(
                name,
                sluice(what, load),
                Stream.concat(
                                peers.stream().map(peer -> new Contestant(peer.who(), what, load.apply(peer))),
                                Stream.of(more))
                        .toList());
    }

    /** The share of denied calls that reached Redis; null if there were none. */
    @Nullable
    Double deniedShare() {
        return denied == null ? null : denied.reachedShare();
    }

    /** The memory of a bucket in Redis, for a key of 20 bytes. */
    CaseResult keyBytes(String name) {
        return new CaseResult(
                name, keyBytes(sluice), peers.stream().map(this::keyBytes).toList());
    }

    private Measurement keyBytes(Library library) {
        String key = keys.one();
        library.denied(key);
        return new Measurement(library.who(), (double) redis.bytes(key), null);
    }

    @Override
    public void close() {
        sluice.close();
        peers.forEach(Library::close);
    }
}
