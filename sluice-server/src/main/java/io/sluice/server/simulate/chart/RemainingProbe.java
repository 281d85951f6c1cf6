package io.sluice.server.simulate.chart;

/**
 * Looks at the permits of a key between requests, where nothing is decided: so a chart shows how they come back. It decides the
 * same requests again, on memory stores of its own.
 */
interface RemainingProbe<R> extends AutoCloseable {
    /** Goes to a time. Times never decrease. */
    void at(long micros);

    /** Decides the next request, at its time. */
    void decide(R request);

    /** The permits of a key at the present time; -1 if that is not known. */
    long remaining(int panel, String key);

    @Override
    void close();
}
