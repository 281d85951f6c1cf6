package io.sluice.policy.engine;

import io.sluice.policy.PolicyEngine;
import io.sluice.spi.Edition;
import io.sluice.spi.Publication;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Follows a publication, and has each newer edition put in force. {@link PolicyEngine} starts and closes it. */
public final class EditionFollower implements AutoCloseable {
    private final AtomicReference<@Nullable Edition> newest = new AtomicReference<>();
    private final Runnable stop;

    /** @param worker the thread that puts editions in force */
    public EditionFollower(Publication publication, Executor worker, ActivePolicies active) {
        stop = publication.follow(edition -> {
            newest.set(edition);
            worker.execute(() -> adoptNewest(active));
        });
    }

    /** A worker that is late skips editions that were replaced since. */
    private void adoptNewest(ActivePolicies active) {
        Edition edition = newest.getAndSet(null);
        if (edition != null) {
            active.adopt(edition);
        }
    }

    @Override
    public void close() {
        stop.run();
    }
}
