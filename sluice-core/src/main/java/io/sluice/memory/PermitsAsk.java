package io.sluice.memory;

/** What a waiter for permits of rates asks for. */
record PermitsAsk(MemoryLimiter limiter, String key, long permits) implements Ask<MemoryReservation> {
    @Override
    public Answer<MemoryReservation> attempt(long maxDelayMicros) {
        return limiter.reserve(key, permits, maxDelayMicros);
    }

    @Override
    public long leastMicros() {
        return limiter.waitFor(key, permits);
    }

    @Override
    public Answer<MemoryReservation> refused(long leastMicros) {
        return limiter.refused(key, permits, leastMicros);
    }
}
