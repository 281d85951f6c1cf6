package io.sluice.server.resp;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.netty.util.internal.PlatformDependent;
import io.sluice.server.guard.AuthAttempts;
import io.sluice.server.logging.PeerLog;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * The bounds of RESP connections: memory, time, and attempts at the password. One for each server; thread-safe.
 *
 * @see RespConnections
 */
public final class RespLimits implements MeterBinder {
    /** Why the server closed a connection. */
    enum Reason {
        UNREAD("unread", "it did not read its replies in time"),
        MEMORY("memory", "all RESP connections together used too much memory"),
        INCOMPLETE("incomplete", "it did not complete a command in time"),
        UNAUTHENTICATED("unauthenticated", "it did not authenticate in time");

        private final String tag;
        private final String text;

        Reason(String tag, String text) {
            this.tag = tag;
            this.text = text;
        }
    }

    private static final PeerLog LOG = PeerLog.to("io.sluice.server");

    /** Maximum time to complete a command, and to read a reply. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** All connections together may keep this part of the heap, or of the direct memory if that is smaller. */
    private static final int MEMORY_DIVISOR = 16;

    /** The minimum for each event loop: some of the largest commands. */
    private static final long MIN_BYTES_PER_LOOP = 1024 * 1024;

    final Duration timeout;
    final Duration authTimeout;

    /** Maximum bytes that the connections of one event loop may keep. */
    final long maxBytesPerLoop;

    final AuthAttempts attempts;
    private final LongAdder keptBytes = new LongAdder();
    private final Map<Reason, LongAdder> closed = new EnumMap<>(Reason.class);

    /**
     * Derives the bounds from the memory of this process.
     *
     * @param eventLoops the number of event loops that share the memory
     * @param authTimeout the maximum time until a client authenticates
     */
    public RespLimits(int eventLoops, Duration authTimeout, AuthAttempts attempts) {
        this(TIMEOUT, authTimeout, Math.max(MIN_BYTES_PER_LOOP, memory() / eventLoops), attempts);
    }

    RespLimits(Duration timeout, Duration authTimeout, long maxBytesPerLoop, AuthAttempts attempts) {
        this.timeout = timeout;
        this.authTimeout = authTimeout;
        this.maxBytesPerLoop = maxBytesPerLoop;
        this.attempts = attempts;
        for (Reason reason : Reason.values()) {
            closed.put(reason, new LongAdder());
        }
    }

    private static long memory() {
        return Math.min(Runtime.getRuntime().maxMemory(), PlatformDependent.estimateMaxDirectMemory()) / MEMORY_DIVISOR;
    }

    /** @param bytes may be negative */
    void addBytes(long bytes) {
        keptBytes.add(bytes);
    }

    long keptBytes() {
        return keptBytes.sum();
    }

    void countClosed(Reason reason, ClientInfo client) {
        Objects.requireNonNull(closed.get(reason)).increment();
        LOG.warn(reason.tag, "closed the RESP connection of " + client.address + ": " + reason.text);
    }

    long closed(Reason reason) {
        return Objects.requireNonNull(closed.get(reason)).sum();
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("sluice.resp.kept.bytes", keptBytes, LongAdder::sum)
                .description("Bytes of RESP commands that were not run yet and of replies that were not sent yet")
                .register(registry);
        closed.forEach((reason, count) -> FunctionCounter.builder("sluice.resp.closed", count, LongAdder::sum)
                .description("RESP connections that the server closed because of their client")
                .tag("reason", reason.tag)
                .register(registry));
    }
}
