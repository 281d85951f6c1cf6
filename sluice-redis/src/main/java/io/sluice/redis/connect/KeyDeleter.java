package io.sluice.redis.connect;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.KeyScanOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Deletes all keys of a store, on every server. */
public final class KeyDeleter {
    private static final int AT_ONCE = 1000;

    private final Connection connection;
    private final String prefix;

    public KeyDeleter(Connection connection, String prefix) {
        this.connection = connection;
        this.prefix = prefix;
    }

    public CompletableFuture<@Nullable Void> deleteAll() {
        Link link = connection.link();
        if (link == null) {
            return CompletableFuture.failedFuture(NoAnswerException.notConnected());
        }
        if (link.connection() instanceof StatefulRedisClusterConnection<?, ?> cluster) {
            CompletableFuture<?>[] nodes = cluster.getPartitions().stream()
                    .filter(node ->
                            node.is(io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag.UPSTREAM))
                    .map(node ->
                            cluster.getConnectionAsync(node.getNodeId()).thenCompose(server -> deleteOn(link, server)))
                    .toArray(CompletableFuture[]::new);
            return CompletableFuture.allOf(nodes).thenApply(unused -> null);
        }
        return deleteOn(link, (StatefulRedisConnection<?, ?>) link.connection());
    }

    private CompletableFuture<@Nullable Void> deleteOn(Link link, StatefulConnection<?, ?> server) {
        return scan(link, new Link(server), ScanCursor.INITIAL);
    }

    private CompletableFuture<@Nullable Void> scan(Link link, Link server, ScanCursor from) {
        CommandArgs<byte[], byte[]> arguments = Link.arguments().add(from.getCursor());
        ScanArgs.Builder.matches(pattern()).limit(AT_ONCE).build(arguments);
        return server.run(CommandType.SCAN, new KeyScanOutput<>(ByteArrayCodec.INSTANCE), arguments)
                .thenCompose(page -> delete(link, page)
                        .thenCompose(unused -> page.isFinished()
                                ? CompletableFuture.completedFuture(null)
                                : scan(link, server, ScanCursor.of(page.getCursor()))));
    }

    /** One key per command: on a cluster, the keys may be in different slots. */
    private static CompletableFuture<Void> delete(Link link, KeyScanCursor<byte[]> page) {
        return CompletableFuture.allOf(page.getKeys().stream()
                .map(key -> link.run(
                        CommandType.UNLINK,
                        new IntegerOutput<>(ByteArrayCodec.INSTANCE),
                        Link.arguments().addKey(key)))
                .toArray(CompletableFuture[]::new));
    }

    /** The pattern for all keys of the prefix. Characters with a meaning in patterns are escaped. */
    private String pattern() {
        StringBuilder pattern = new StringBuilder();
        for (byte b : (prefix + ":{").getBytes(StandardCharsets.US_ASCII)) {
            char c = (char) b;
            if ("*?[]^-\\".indexOf(c) >= 0) {
                pattern.append('\\');
            }
            pattern.append(c);
        }
        return pattern.append('*').toString();
    }
}
