package io.sluice.benchmarks;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Everything about one case. */
record Row(String name, Figure sluice, List<Figure> peers) {

    @Nullable
    Figure fastestPeer() {
        return peers.stream()
                .filter(peer -> peer.ns() != null)
                .min(Comparator.comparing(peer -> Objects.requireNonNull(peer.ns())))
                .orElse(null);
    }

    /** How many times as long the fastest peer takes. */
    @Nullable
    Double ratio() {
        Figure peer = fastestPeer();
        return peer == null || peer.ns() == null || sluice.ns() == null ? null : peer.ns() / sluice.ns();
    }
}
