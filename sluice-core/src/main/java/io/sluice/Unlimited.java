package io.sluice;

import java.time.Duration;

/** A limit that allows every request. It needs no state. */
public record Unlimited() implements Limit {
    @Override
    public Algorithm algorithm() {
        return Algorithm.UNLIMITED;
    }

    @Override
    public long capacity() {
        return Long.MAX_VALUE;
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
