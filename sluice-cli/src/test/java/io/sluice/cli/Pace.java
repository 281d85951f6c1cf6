package io.sluice.cli;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * How much slower everything is than on an idle machine, as felt by a thread that does the same short thing over and over.
 * What is promised within a time is judged by it: a machine that is ten times slower gets ten times as long.
 */
public final class Pace implements AutoCloseable {
    private static final long NAP_NANOS = Duration.ofMillis(5).toNanos();
    private static final int WORK = 100_000;

    private final Thread thread = new Thread(this::run, "pace");
    private volatile boolean done;
    private long fastest = Long.MAX_VALUE;
    private long all;
    private long rounds;
    private int sum;

    public Pace() {
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        while (!done) {
            long start = System.nanoTime();
            LockSupport.parkNanos(NAP_NANOS);
            for (int i = 0; i < WORK; i++) {
                sum = sum * 31 + i;
            }
            add(System.nanoTime() - start);
        }
    }

    private synchronized void add(long nanos) {
        fastest = Math.min(fastest, Math.max(nanos, NAP_NANOS));
        all += nanos;
        rounds++;
    }

    /** So much of an idle machine's time, as long as it is here. */
    public synchronized Duration of(Duration idle) {
        return rounds == 0
                ? idle
                : idle.multipliedBy(Math.max(100, 100 * all / (rounds * fastest)))
                        .dividedBy(100);
    }

    @Override
    public void close() {
        done = true;
    }
}
