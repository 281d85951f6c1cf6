package io.sluice.server.vertx;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.atomic.LongAdder;

/*
 * The share of a connection is not a fixed number. It is half of the bytes that are free. So a single connection may buffer a
 * third of the budget, a thousand connections a thousandth each. Whatever their number, some bytes stay free for clients that
 * read their responses. (Switches share their buffers among ports by the same dynamic thresholds.)
 */
/**
 * Bounds the bytes that all HTTP connections together make the process buffer: responses that clients have not read, and
 * requests that are not complete. Thread-safe.
 */
public final class ByteBudget implements MeterBinder {
    /** The budget is at most this part of the heap: an eighth. */
    private static final int HEAP_DIVISOR = 8;

    /** The budget is at most this part of the direct memory: a third. RESP and reads need direct memory too. */
    private static final int DIRECT_MEMORY_DIVISOR = 3;

    /** Every connection may buffer this much. It is less than a connection costs anyway. */
    private static final long MIN_SHARE = 4 * 1024;

    private final long max;
    private final LongAdder buffered = new LongAdder();
    private final LongAdder droppedFull = new LongAdder();
    private final LongAdder droppedUnread = new LongAdder();

    /** @param max the maximum number of buffered bytes */
    public ByteBudget(long max) {
        this.max = max;
    }

    /** A budget that fits both the heap and the direct memory of this process. */
    public static ByteBudget ofThisProcess() {
        return new ByteBudget(Math.min(
                Runtime.getRuntime().maxMemory() / HEAP_DIVISOR,
                PlatformDependent.maxDirectMemory() / DIRECT_MEMORY_DIVISOR));
    }

    /** @param bytes may be negative */
    void add(long bytes) {
        buffered.add(bytes);
    }

    /** The number of bytes that are buffered now. */
    public long buffered() {
        return buffered.sum();
    }

    /** The number of bytes that one connection may buffer now. */
    public long share() {
        return Math.max(MIN_SHARE, (max - buffered.sum()) / 2);
    }

    /** Counts a response or a connection that was dropped because its connection buffered too much. */
    void countDroppedFull() {
        droppedFull.increment();
    }

    /** Counts a response or a connection that was dropped because the client did not read in time. */
    void countDroppedUnread() {
        droppedUnread.increment();
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("sluice.http.held.bytes", buffered, LongAdder::sum)
                .description("Bytes of responses that clients have not read, and of requests that are not complete")
                .register(registry);
        Gauge.builder("sluice.http.held.bytes.max", () -> max)
                .description("Maximum of sluice.http.held.bytes")
                .register(registry);
        dropped(registry, "full", droppedFull);
        dropped(registry, "unread", droppedUnread);
    }

    private static void dropped(MeterRegistry registry, String reason, LongAdder count) {
        FunctionCounter.builder("sluice.http.dropped", count, LongAdder::sum)
                .description(
                        "Responses and connections that were dropped: the buffers were full, or the client did not read"
                                + " in time")
                .tag("reason", reason)
                .register(registry);
    }
}
