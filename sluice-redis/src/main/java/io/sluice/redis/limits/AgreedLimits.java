package io.sluice.redis.limits;

import io.sluice.Limit;
import io.sluice.LimiterOptions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The limits of one limiter: those that this process has configured, and those in force as far as it knows. */
public final class AgreedLimits {
    private final String name;
    private final Consumer<VersionedLimits> changed;
    private volatile List<Limit> configured;
    private volatile VersionedLimits versions;
    private volatile boolean agreed;
    private volatile boolean wanted;
    private CompletableFuture<?> updates = CompletableFuture.completedFuture(null);

    /**
     * The limits of a limiter that Redis was not asked for yet.
     *
     * @param changed takes the limits that came into force, once for each change
     */
    public AgreedLimits(String name, LimiterOptions options, List<Limit> limits, Consumer<VersionedLimits> changed) {
        this.name = name;
        this.changed = changed;
        this.configured = limits;
        this.versions = unasked(options, limits);
    }

    private static VersionedLimits unasked(LimiterOptions options, List<Limit> limits) {
        return new VersionedLimits(List.of(new LimitsVersion(1, 0, options.revision(), limits)));
    }

    /** The name of the limiter. */
    public String name() {
        return name;
    }

    /** The limits in force, as far as this process knows. */
    public List<Limit> limits() {
        return versions.limits();
    }

    /** Reports limits that were adopted. By now, others may be in force. */
    void changed(VersionedLimits adopted) {
        changed.accept(adopted);
    }

    public VersionedLimits versions() {
        return versions;
    }

    /** Whether this process has agreed with Redis on the limits in force. */
    public boolean isAgreed() {
        return agreed;
    }

    /** The version of the limits on which this process has agreed with Redis; 0 for none. */
    int knownVersion() {
        return agreed ? versions.version() : 0;
    }

    /** Whether this process wants its limits in force. False while it only prepares the limiter. */
    public boolean isWanted() {
        return wanted;
    }

    public void want() {
        wanted = true;
    }

    /** The limits that this process has configured. Others may be in force. */
    public List<Limit> configured() {
        return configured;
    }

    /** Sets the limits that this process wants in force from now on. */
    public void configure(List<Limit> limits) {
        configured = limits;
    }

    /** Until this process has agreed with Redis, its configured limits count. */
    synchronized void configureUnasked(LimiterOptions options, List<Limit> limits) {
        if (!agreed) {
            versions = unasked(options, limits);
        }
    }

    /** Adopts the limits that Redis has, unless newer ones are known. Returns whether that changes anything. */
    public synchronized boolean adopt(VersionedLimits newer) {
        boolean changes = !agreed || newer.version() != versions.version();
        if (agreed && newer.version() < versions.version()) {
            return false;
        }
        versions = newer;
        agreed = true;
        return changes;
    }

    /** Runs an update after all earlier updates of this process: concurrent ones would only conflict. */
    <T> CompletableFuture<T> afterOtherUpdates(Supplier<CompletableFuture<T>> update) {
        CompletableFuture<T> next = new CompletableFuture<>();
        CompletableFuture<?> before;
        synchronized (this) {
            before = updates;
            updates = next;
        }
        // Not under the lock: an update takes other locks.
        before.handle((done, failure) -> done)
                .thenCompose(unused -> update.get())
                .whenComplete((done, failure) -> {
                    if (failure == null) {
                        next.complete(done);
                    } else {
                        next.completeExceptionally(failure);
                    }
                });
        return next;
    }
}
