package io.sluice.benchmarks.local;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The results of one case. */
record LocalResult(String name, LocalMeasurement sluice, List<LocalMeasurement> peers) {

    @Nullable
    LocalMeasurement fastestPeer() {
        return peers.stream()
                .filter(peer -> peer.ns() != null)
                .min(Comparator.comparing(peer -> Objects.requireNonNull(peer.ns())))
                .orElse(null);
    }

    /** The time of the fastest peer divided by the time of Sluice. */
    @Nullable
    Double ratio() {
        LocalMeasurement peer = fastestPeer();
        return peer == null || peer.ns() == null || sluice.ns() == null ? null : peer.ns() / sluice.ns();
    }
}
