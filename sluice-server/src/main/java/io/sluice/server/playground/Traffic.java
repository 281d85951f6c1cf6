package io.sluice.server.playground;

import io.sluice.server.simulate.trace.InvalidTraceException;
import io.sluice.server.simulate.trace.KeyRequest;
import io.sluice.server.simulate.trace.TraceKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Traffic of a shape, from time 0 on. The same numbers give the same requests, so a link reproduces a picture.
 *
 * <ul>
 *   <li>steady: {@code rate} requests a second, evenly spaced
 *   <li>burst: the same, and every {@code every} seconds {@code size} requests at once
 *   <li>edge: {@code size} requests just before each multiple of {@code every} seconds, and {@code size} just after it
 *   <li>attack: steady traffic of {@code user}; in the middle third also {@code size} requests a second of {@code attacker}
 *   <li>on-off: {@code every} seconds at {@code rate}, then as long nothing
 *   <li>diurnal: between a tenth of {@code rate} and {@code rate}, as a wave of {@code every} seconds
 * </ul>
 *
 * @param rate requests a second
 * @param seconds how long it lasts
 * @param size the requests of a burst, or of the attack in a second
 * @param every seconds between bursts or edges
 * @param keys the keys that take turns
 */
record Traffic(Shape shape, long rate, long seconds, long size, long every, long keys) {
    static final long MOST_REQUESTS = 50_000;

    private static final long SECOND = 1_000_000;

    /** An edge has its requests within so much of the window. */
    private static final long EDGE_PARTS = 20;

    private static final int WAVE_STEPS = 200_000;

    /** The requests, by time. */
    List<KeyRequest> requests() {
        List<KeyRequest> all = new ArrayList<>();
        long end = seconds * SECOND;
        switch (shape) {
            case STEADY -> evenly(all, 0, end, rate);
            case BURST -> {
                evenly(all, 0, end, rate);
                for (long at = every * SECOND / 2; at < end; at += every * SECOND) {
                    for (long i = 0; i < size; i++) {
                        add(all, at);
                    }
                }
            }
            case EDGE -> edges(all, end);
            case ATTACK -> attack(all, end);
            case ON_OFF -> {
                for (long at = 0; at < end; at += 2 * every * SECOND) {
                    evenly(all, at, Math.min(end, at + every * SECOND), rate);
                }
            }
            case DIURNAL -> wave(all, end);
        }
        all.sort(Comparator.comparingLong(KeyRequest::timeMicros));
        return all;
    }

    private void evenly(List<KeyRequest> all, long from, long to, long perSecond) {
        for (long i = 0; from + i * SECOND / perSecond < to; i++) {
            add(all, from + i * SECOND / perSecond);
        }
    }

    private void edges(List<KeyRequest> all, long end) {
        long window = every * SECOND;
        long part = window / EDGE_PARTS;
        for (long edge = window; edge < end; edge += 2 * window) {
            for (long i = 0; i < size; i++) {
                add(all, edge - part + i * part / size);
            }
            for (long i = 0; i < size; i++) {
                add(all, edge + i * part / size);
            }
        }
    }

    private void attack(List<KeyRequest> all, long end) {
        TraceKey user = TraceKey.of("user");
        TraceKey attacker = TraceKey.of("attacker");
        for (long i = 0; i * SECOND / rate < end; i++) {
            add(all, i * SECOND / rate, user);
        }
        for (long i = 0; end / 3 + i * SECOND / size < 2 * (end / 3); i++) {
            add(all, end / 3 + i * SECOND / size, attacker);
        }
    }

    private void wave(List<KeyRequest> all, long end) {
        long step = Math.max(1, end / WAVE_STEPS);
        double due = 0;
        for (long at = 0; at < end; at += step) {
            double phase = 2 * Math.PI * at / (every * SECOND);
            due += (0.1 + 0.45 * (1 - Math.cos(phase))) * rate * step / SECOND;
            for (; due >= 1; due--) {
                add(all, at);
            }
        }
    }

    private void add(List<KeyRequest> all, long at) {
        add(all, at, TraceKey.of("key-" + (all.size() % keys + 1)));
    }

    private static void add(List<KeyRequest> all, long at, TraceKey key) {
        if (all.size() >= MOST_REQUESTS) {
            throw new InvalidTraceException("traffic: more than " + MOST_REQUESTS
                    + " requests (expected: a lower rate, smaller bursts or a shorter time)");
        }
        all.add(new KeyRequest(at, key, 1));
    }
}
