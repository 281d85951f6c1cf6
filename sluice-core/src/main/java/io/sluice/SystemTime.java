package io.sluice;

import java.time.Instant;

/*
 * System.nanoTime() makes steady progress and never goes back, but starts anywhere; the wall clock knows the epoch, but
 * may be set. So time is the nano clock, moved once, at the start, to where the wall clock stood. Buckets, logs and waits
 * live on that. Windows that are aligned to the epoch additionally follow the wall clock: how far it has moved away is
 * measured once a second, by whoever asks first, and small differences (the reading itself takes time) are ignored.
 */
/** The system's clocks. */
final class SystemTime implements TimeSource {
    static final SystemTime INSTANCE = new SystemTime();

    private static final long SYNC_EVERY_MICROS = 1_000_000;
    private static final long SLOWEST_READING_NANOS = 100_000;
    private static final long NOISE_MICROS = 1000;

    /** Added to the nano clock, it gives nanoseconds since the epoch. */
    private final long epochOffsetNanos = wallNanos() - System.nanoTime();

    private volatile long wallOffsetMicros;
    private volatile long syncedAt = micros();

    private SystemTime() {}

    @Override
    public long micros() {
        return nanos() / 1000;
    }

    @Override
    public long nanos() {
        return System.nanoTime() + epochOffsetNanos;
    }

    @Override
    public long wallMicros() {
        long now = micros();
        if (now - syncedAt > SYNC_EVERY_MICROS) {
            syncedAt = now;
            followWallClock();
        }
        return now + wallOffsetMicros;
    }

    private void followWallClock() {
        long before = System.nanoTime();
        long wall = wallNanos();
        long after = System.nanoTime();
        if (after - before < SLOWEST_READING_NANOS) {
            long offset = (wall - (before + epochOffsetNanos)) / 1000;
            if (Math.abs(offset - wallOffsetMicros) > NOISE_MICROS) {
                wallOffsetMicros = offset;
            }
        }
    }

    @Override
    public boolean isMonotonic() {
        return true;
    }

    private static long wallNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }
}
