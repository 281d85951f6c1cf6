package io.sluice.redis.connect;

import io.sluice.redis.connect.Shard.Failure;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The servers of a store: a single one, or those of a cluster by their ids. */
public final class Shards {
    private final Shard first = new Shard();
    private final Map<String, Shard> others = new ConcurrentHashMap<>();

    /** The server that has a slot. */
    public Shard of(@Nullable Link link, int slot) {
        return link == null || !link.isCluster()
                ? first
                : others.computeIfAbsent(link.shardOf(slot), unused -> new Shard());
    }

    /** Whether the circuit breaker of a server is open: the server did not answer, and gets no calls for now. */
    public boolean isAnyOpen() {
        return first.isOpen() || others.values().stream().anyMatch(Shard::isOpen);
    }

    /** The latest failure of a server that has not answered since; null if there is none. */
    public @Nullable Failure failure() {
        return Stream.concat(Stream.of(first), others.values().stream())
                .map(Shard::failure)
                .filter(Objects::nonNull)
                .max((x, y) -> Long.signum(x.nanos() - y.nanos()))
                .orElse(null);
    }

    public void forgetClocks() {
        first.forgetClock();
        others.values().forEach(Shard::forgetClock);
    }
}
