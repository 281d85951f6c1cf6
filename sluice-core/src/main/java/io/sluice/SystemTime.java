package io.sluice;

import java.time.Instant;

/*
 * System.nanoTime() advances evenly and never goes back, but it starts at any value. The wall clock knows the epoch, but it
 * may be set. So the steady clock is the nano clock plus an offset. The offset is read once, at the start, from the wall
 * clock. Buckets, logs and waits use the steady clock. Windows that are aligned to the epoch also follow the wall clock: the
 * first reader in each second measures how far it has moved. Small differences are ignored, because the measurement itself
 * takes time.
 */
/** The clocks of the system. */
final class SystemTime implements TimeSource {
    static final SystemTime INSTANCE = new SystemTime();

    private static final long SYNC_EVERY_MICROS = 1_000_000;
    private static final long MAX_READING_NANOS = 100_000;
    private static final long NOISE_MICROS = 1000;

    /** The offset from the nano clock to nanoseconds since the epoch. */
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
        if (after - before < MAX_READING_NANOS) {
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
