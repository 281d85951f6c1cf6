package io.sluice.benchmarks.load;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything about one case. */
public record Row(String name, Figure sluice, List<Figure> peers) {

    /** One of the peers; null if it did not take part. */
    @Nullable
    public Figure peer(String who) {
        return peers.stream().filter(peer -> peer.who().equals(who)).findFirst().orElse(null);
    }

    /** How many times the peer's rate ours is. */
    @Nullable
    public Double ratio(@Nullable Figure peer) {
        return peer == null || peer.rate() == null || sluice.rate() == null ? null : sluice.rate() / peer.rate();
    }
}
