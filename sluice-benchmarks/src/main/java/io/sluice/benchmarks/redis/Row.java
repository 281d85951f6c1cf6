package io.sluice.benchmarks.redis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything about one case. */
record Row(String name, Figure sluice, List<Figure> peers) {

    @Nullable
    Figure peer(String who) {
        return peers.stream().filter(peer -> peer.who().equals(who)).findFirst().orElse(null);
    }

    /** How many times the peer's rate ours is. */
    @Nullable
    Double ratio(@Nullable Figure peer) {
        return peer == null || peer.rate() == null || sluice.rate() == null ? null : sluice.rate() / peer.rate();
    }
}
