package io.sluice.cli.simulate.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.sluice.cli.console.InvalidInputException;
import io.sluice.cli.console.RunFailedException;
import io.sluice.server.RedisAddress;
import io.sluice.server.json.DisplayText;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds out why a Redis cannot be used, by one simple call. A store reports only that Redis is not available. */
final class RedisProbe {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final String WRITE = "return redis.call('SET', KEYS[1], '1', 'PX', '1')";
    private static final int LONGEST = 200;

    /** Redis errors that the user can correct: wrong password, missing rights, wrong database. */
    private static final Pattern USER_ERRORS =
            Pattern.compile("(WRONGPASS|NOAUTH|NOPERM|READONLY|ERR AUTH|ERR DB index|ERR invalid DB|ERR SELECT).*");

    private RedisProbe() {}

    /** An {@link InvalidInputException} or a {@link RunFailedException} with the cause; null if the call works. */
    static @Nullable RuntimeException problem(RedisAddress address) {
        try {
            ask(
                    RedisURI.create(address.uri()),
                    redis -> redis.eval(WRITE, ScriptOutputType.STATUS, "sluice-simulate-probe"));
            return null;
        } catch (RedisException e) {
            return explained(address, e);
        }
    }

    /**
     * Whether the server is part of a Redis Cluster.
     *
     * @throws InvalidInputException if this user has no right to ask
     * @throws RunFailedException if Redis cannot be reached or does not work
     */
    static boolean isCluster(RedisAddress address) {
        RedisURI uri = RedisURI.create(address.uri());
        if (!uri.getSentinels().isEmpty()) {
            return false;
        }
        try {
            return ask(uri, redis -> redis.info("cluster")).contains("cluster_enabled:1");
        } catch (RedisException e) {
            RuntimeException problem = explained(address, e);
            throw problem == null ? e : problem;
        }
    }

    private static <T> T ask(RedisURI uri, Function<RedisCommands<String, String>, T> question) {
        RedisClient client = client(uri);
        try {
            return RedisRetry.of(
                    () -> {
                        try (StatefulRedisConnection<String, String> connection = client.connect()) {
                            return question.apply(connection.sync());
                        }
                    },
                    System::nanoTime);
        } finally {
            client.shutdownAsync(0, 1, TimeUnit.SECONDS);
        }
    }

    private static RedisClient client(RedisURI uri) {
        uri.setTimeout(PATIENCE);
        RedisClient client = RedisClient.create(uri);
        client.setOptions(ClientOptions.builder()
                .autoReconnect(false)
                .socketOptions(SocketOptions.builder().connectTimeout(PATIENCE).build())
                .build());
        return client;
    }

    private static @Nullable RuntimeException explained(RedisAddress address, RedisException e) {
        String reason = reason(e);
        if (!(root(e) instanceof RedisCommandExecutionException)) {
            return new RunFailedException(address + ": cannot be reached: " + reason);
        } else if (reason.startsWith("MOVED ")) {
            // This is a cluster, and another server has that key.
            return null;
        }
        String message = address + ": Redis refuses: " + reason;
        return USER_ERRORS.matcher(reason).matches()
                ? new InvalidInputException(message)
                : new RunFailedException(message);
    }

    /** The root cause as text. */
    static String reason(Throwable e) {
        Throwable root = root(e);
        if (root instanceof UnknownHostException) {
            return "unknown host";
        }
        String message = root.getMessage();
        return DisplayText.shortened(message == null ? root.getClass().getSimpleName() : message, LONGEST);
    }

    private static Throwable root(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null && !(root instanceof UnknownHostException)) {
            root = root.getCause();
        }
        return root;
    }
}
