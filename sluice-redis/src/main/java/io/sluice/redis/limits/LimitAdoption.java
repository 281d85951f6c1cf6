package io.sluice.redis.limits;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * A sequence number is odd while limits are being replaced. A reader that sees another number after reading than before
 * reads again. So readers take no lock, and never see some of the new limits without the others.
 */
/** Replaces the limits of many limiters at one moment, for all readers in this process. */
public final class LimitAdoption {
    /** The time that other processes have to hear of many new limits before this process decides by them. */
    private static final long HEARING_MICROS = 200_000;

    /** The number of times that a reader spins before it sleeps. */
    private static final int SPINS = 100;

    /** Twice the number of replacements; odd during one. */
    private volatile long sequence;

    /** Limits that are in force and that this process will soon adopt; null if there are none. */
    private final AtomicReference<@Nullable Map<AgreedLimits, VersionedLimits>> pending = new AtomicReference<>();

    private final Executor worker;

    /** @param worker runs long tasks */
    LimitAdoption(Executor worker) {
        this.worker = worker;
    }

    /** Adopts limits that were read at one moment. */
    void adopt(Map<AgreedLimits, VersionedLimits> read) {
        Map<AgreedLimits, VersionedLimits> changed = new LinkedHashMap<>();
        synchronized (this) {
            sequence++;
            try {
                read.forEach((limiter, versions) -> {
                    if (limiter.adopt(versions)) {
                        changed.put(limiter, versions);
                    }
                });
            } finally {
                sequence++;
            }
        }
        changed.forEach(AgreedLimits::changed);
    }

    /*
     * A process that meets a key of newer limits can do nothing before it knows them, and reading thousands of limits takes
     * a while. So the process that has put them in force decides by the earlier ones a little longer. If another process is
     * faster, this process adopts the new limits at that moment.
     */
    CompletableFuture<Void> adoptSoon(Map<AgreedLimits, VersionedLimits> limits) {
        CompletableFuture<Void> adopted = new CompletableFuture<>();
        pending.set(limits);
        TimeSource.system()
                .schedule(
                        HEARING_MICROS,
                        () -> worker.execute(() -> {
                            if (pending.compareAndSet(limits, null)) {
                                adopt(limits);
                            }
                            adopted.complete(null);
                        }));
        return adopted;
    }

    /** Adopts at once what {@link #adoptSoon} would adopt later. Returns false if there is nothing. */
    boolean adoptPending() {
        Map<AgreedLimits, VersionedLimits> limits = pending.getAndSet(null);
        if (limits != null) {
            adopt(limits);
        }
        return limits != null;
    }

    /** Reads limits of several limiters as of one moment. The reading may run more than once. */
    public <T> T asOfOneMoment(Supplier<T> reading) {
        for (int attempt = 0; ; attempt++) {
            long before = sequence;
            if ((before & 1) == 0) {
                T read = reading.get();
                if (sequence == before) {
                    return read;
                }
            }
            pause(attempt);
        }
    }

    private static void pause(int attempt) {
        if (attempt < SPINS) {
            Thread.onSpinWait();
        } else {
            LockSupport.parkNanos(20_000);
        }
    }

    /** The limits of limiters, as of one moment. */
    public List<List<Limit>> limits(List<? extends RateLimiter> limiters) {
        return asOfOneMoment(() -> limiters.stream().map(RateLimiter::limits).toList());
    }
}
