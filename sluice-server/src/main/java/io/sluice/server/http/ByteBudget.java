package io.sluice.server.http;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.atomic.LongAdder;

/*
 * What one connection may hold is not a number but half of what nobody holds. So a connection that is alone may hold a third of
 * all, a thousand of them have a thousandth each, and however many they are, some of it stays free for those who read what they
 * are answered. (These are the dynamic thresholds by which switches share their buffers among ports.)
 */
/**
 * Bounds the bytes that connections make the process hold, all of them together: answers that clients do not read, and
 * requests that are not whole. Thread-safe.
 */
public final class ByteBudget implements MeterBinder {
    /** The part of the heap that may be held: an eighth. */
    private static final int OF_HEAP = 8;

    /** The part of the direct memory: a third, since other ports and what is being read need some too. */
    private static final int OF_DIRECT = 3;

    /** Any connection may hold that much: it is less than what it costs anyway. */
    private static final long LEAST = 4 * 1024;

    private final long most;
    private final LongAdder held = new LongAdder();
    private final LongAdder over = new LongAdder();
    private final LongAdder unread = new LongAdder();

    /** @param most how many bytes may be held */
    public ByteBudget(long most) {
        this.most = most;
    }

    /** As many bytes as fit the memory of this process: they may be in the heap, or out of it. */
    public static ByteBudget ofThisProcess() {
        return new ByteBudget(
                Math.min(Runtime.getRuntime().maxMemory() / OF_HEAP, PlatformDependent.maxDirectMemory() / OF_DIRECT));
    }

    /** Holds more, or less. */
    void add(long bytes) {
        held.add(bytes);
    }

    /** How many bytes are held. */
    public long held() {
        return held.sum();
    }

    /** How many bytes one connection may hold by now. */
    long share() {
        return Math.max(LEAST, (most - held.sum()) / 2);
    }

    /** An answer, or a connection, was given up because too much was held. */
    void wentOver() {
        over.increment();
    }

    /** An answer, or a connection, was given up because nobody read it in time. */
    void wentUnread() {
        unread.increment();
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("sluice.http.held.bytes", held, LongAdder::sum)
                .description("Bytes of answers that were not read yet and of requests that are not whole")
                .register(registry);
        Gauge.builder("sluice.http.held.bytes.max", () -> most)
                .description("How many such bytes there may be")
                .register(registry);
        dropped(registry, "full", over);
        dropped(registry, "unread", unread);
    }

    private static void dropped(MeterRegistry registry, String reason, LongAdder count) {
        FunctionCounter.builder("sluice.http.dropped", count, LongAdder::sum)
                .description("Answers and connections that were given up: too much was held, or nobody read it in time")
                .tag("reason", reason)
                .register(registry);
    }
}
