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
 * What RESP clients may take of the server: memory, time, and tries at the password. One for each server; thread-safe.
 *
 * @see RespConnections
 */
public final class RespLimits implements MeterBinder {
    /** Why a connection was closed that its client would have kept. */
    enum Reason {
        UNREAD("unread", "it did not read what it was answered"),
        MEMORY("memory", "RESP connections together kept more than they may"),
        INCOMPLETE("incomplete", "it did not complete a command in time"),
        UNAUTHENTICATED("unauthenticated", "it did not show the password in time");

        private final String tag;
        private final String text;

        Reason(String tag, String text) {
            this.tag = tag;
            this.text = text;
        }
    }

    private static final PeerLog LOG = PeerLog.to("io.sluice.server");

    /** How long a client may take to complete a command, and to read what it was answered. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The part of the memory that all connections together may keep: heap or direct, what is less. */
    private static final int SHARE = 16;

    /** For each event loop at least so much: some of the largest commands. */
    private static final long LEAST = 1024 * 1024;

    final Duration patience;
    final Duration authTimeout;

    /** Bytes that the connections of one event loop may keep. */
    final long mostForEach;

    final AuthAttempts attempts;
    private final LongAdder kept = new LongAdder();
    private final Map<Reason, LongAdder> closed = new EnumMap<>(Reason.class);

    /**
     * The bounds of a server with so much memory as this one.
     *
     * @param loops how many event loops share it
     * @param authTimeout how long a client may take to show the password
     */
    public RespLimits(int loops, Duration authTimeout, AuthAttempts attempts) {
        this(PATIENCE, authTimeout, Math.max(LEAST, memory() / loops), attempts);
    }

    RespLimits(Duration patience, Duration authTimeout, long mostForEach, AuthAttempts attempts) {
        this.patience = patience;
        this.authTimeout = authTimeout;
        this.mostForEach = mostForEach;
        this.attempts = attempts;
        for (Reason reason : Reason.values()) {
            closed.put(reason, new LongAdder());
        }
    }

    private static long memory() {
        return Math.min(Runtime.getRuntime().maxMemory(), PlatformDependent.estimateMaxDirectMemory()) / SHARE;
    }

    /** So many bytes more are kept, or fewer. */
    void kept(long more) {
        kept.add(more);
    }

    long kept() {
        return kept.sum();
    }

    void closed(Reason reason, Client client) {
        Objects.requireNonNull(closed.get(reason)).increment();
        LOG.peer(reason.tag, "closed the RESP connection of " + client.address + ": " + reason.text);
    }

    long closed(Reason reason) {
        return Objects.requireNonNull(closed.get(reason)).sum();
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("sluice.resp.kept.bytes", kept, LongAdder::sum)
                .description("Bytes of RESP connections that were not run or not sent yet")
                .register(registry);
        closed.forEach((reason, count) -> FunctionCounter.builder("sluice.resp.closed", count, LongAdder::sum)
                .description("RESP connections that were closed because of what their client did")
                .tag("reason", reason.tag)
                .register(registry));
    }
}
