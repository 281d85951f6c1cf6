package io.sluice.benchmarks.load;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The results of one case. */
public record CaseResult(String name, Measurement sluice, List<Measurement> peers) {

    /** The result of a peer; null if the peer did not take part. */
    @Nullable
    public Measurement peer(String who) {
        return peers.stream().filter(peer -> peer.who().equals(who)).findFirst().orElse(null);
    }

    /** The rate of Sluice divided by the rate of the peer. */
    @Nullable
    public Double ratio(@Nullable Measurement peer) {
        if (peer != null && peer.ratio() != null) {
            return peer.ratio();
        }
        return peer == null || peer.rate() == null || sluice.rate() == null ? null : sluice.rate() / peer.rate();
    }
}
