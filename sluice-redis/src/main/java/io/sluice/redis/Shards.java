package io.sluice.redis;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The servers of a store: one, or those of a cluster by their ids. */
final class Shards {
    private final Shard first = new Shard();
    private final Map<String, Shard> others = new ConcurrentHashMap<>();

    /** The server that has a slot. */
    Shard of(@Nullable Link link, int slot) {
        return link == null || !link.isCluster()
                ? first
                : others.computeIfAbsent(link.shardOf(slot), unused -> new Shard());
    }

    /** Whether one of them is not asked at present, because it did not answer. */
    boolean isAnyOpen() {
        return first.isOpen() || others.values().stream().anyMatch(Shard::isOpen);
    }

    void forgetClocks() {
        first.forgetClock();
        others.values().forEach(Shard::forgetClock);
    }
}
