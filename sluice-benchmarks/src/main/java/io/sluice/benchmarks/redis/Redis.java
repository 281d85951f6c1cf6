package io.sluice.benchmarks.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The Redis that all contestants share: a given server, or a process that is started for the run. */
final class Redis implements AutoCloseable {
    private static final String EXPECTED = "redis://[[user]:password@]host[:port][/database], or rediss://...";
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final String uri;
    private final RedisURI parsedUri;
    private final @Nullable RedisProcess process;
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    private Redis(String uri, @Nullable RedisProcess process) {
        this.uri = uri;
        this.process = process;
        parsedUri = parse(uri);
        parsedUri.setTimeout(PATIENCE);
        client = RedisClient.create(parsedUri);
        try {
            connection = client.connect();
        } catch (RuntimeException e) {
            close();
            throw new IllegalStateException(name() + ": cannot be reached: " + root(e).getMessage(), e);
        }
        if (commands().info("cluster").contains("cluster_enabled:1")) {
            close();
            throw new IllegalStateException(name() + ": belongs to a cluster (expected: a single server)");
        }
    }

    /** Starts a Redis on this machine. */
    static Redis embedded() {
        RedisProcess process = RedisProcess.start();
        return new Redis(process.uri(), process);
    }

    /** Connects to a Redis. Throws {@link IllegalStateException} if it does not answer or is part of a cluster. */
    static Redis at(String uri) {
        return new Redis(uri, null);
    }

    /** Parses a URI. Throws {@link IllegalArgumentException} if it is not the URI of one server. */
    static RedisURI parse(String uri) {
        try {
            RedisURI parsed = RedisURI.create(uri);
            if (parsed.getHost() != null && parsed.getSentinels().isEmpty()) {
                return parsed;
            }
        } catch (RuntimeException e) {
            // Not a URI; the message is below.
        }
        // The message does not repeat the text, because it may contain a password.
        throw new IllegalArgumentException("not the URI of a single Redis (expected: " + EXPECTED + ")");
    }

    private static Throwable root(Throwable e) {
        return e.getCause() == null ? e : root(e.getCause());
    }

    /** The address without user, password and database. */
    String name() {
        return (parsedUri.isSsl() ? "rediss://" : "redis://") + parsedUri.getHost() + ":" + parsedUri.getPort();
    }

    String uri() {
        return uri;
    }

    RedisURI parsedUri() {
        return parsedUri;
    }

    Optional<String> user() {
        return credentials().filter(RedisCredentials::hasUsername).map(RedisCredentials::getUsername);
    }

    Optional<String> password() {
        return credentials().filter(RedisCredentials::hasPassword).map(known -> new String(known.getPassword()));
    }

    /** The options of redis-benchmark with the address of this Redis. */
    List<String> benchmarkOptions() {
        List<String> words = new ArrayList<>();
        words.addAll(List.of("-h", parsedUri.getHost(), "-p", Integer.toString(parsedUri.getPort())));
        words.addAll(List.of("--dbnum", Integer.toString(parsedUri.getDatabase())));
        user().ifPresent(user -> words.addAll(List.of("--user", user)));
        password().ifPresent(password -> words.addAll(List.of("-a", password)));
        if (parsedUri.isSsl()) {
            words.add("--tls");
        }
        return words;
    }

    private Optional<RedisCredentials> credentials() {
        return parsedUri.getCredentialsProvider().resolveCredentials().blockOptional();
    }

    RedisClient client() {
        return client;
    }

    RedisCommands<String, String> commands() {
        return connection.sync();
    }

    /** A PING, the cheapest round trip. All threads share one connection. */
    Call ping() {
        RedisCommands<String, String> commands = commands();
        return commands::ping;
    }

    /** The memory of all keys whose name contains a text, in bytes. */
    long bytes(String text) {
        ScanIterator<String> keys = ScanIterator.scan(
                commands(), ScanArgs.Builder.matches("*" + text + "*").limit(1000));
        return keys.stream()
                .distinct()
                .mapToLong(key -> Objects.requireNonNullElse(commands().memoryUsage(key), 0L))
                .sum();
    }

    String describe() {
        String version = commands()
                .info("server")
                .lines()
                .filter(line -> line.startsWith("redis_version:"))
                .findFirst()
                .map(line -> line.substring(line.indexOf(':') + 1))
                .orElse("of unknown version");
        return "Redis " + version + " at " + name() + (process == null ? "" : ", started for this run");
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, PATIENCE);
        if (process != null) {
            process.close();
        }
    }
}
