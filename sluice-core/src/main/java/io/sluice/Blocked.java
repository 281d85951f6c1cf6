package io.sluice;

import java.time.Duration;

/** A limit that denies every request. It needs no state. */
public record Blocked() implements Limit {
    @Override
    public Algorithm algorithm() {
        return Algorithm.BLOCKED;
    }

    @Override
    public long capacity() {
        return 0;
    }

    @Override
    public Duration refillTime() {
        return Duration.ZERO;
    }

    @Override
    public String toString() {
        return algorithm().toString();
    }
}
