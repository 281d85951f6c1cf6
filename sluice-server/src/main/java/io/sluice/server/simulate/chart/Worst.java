package io.sluice.server.simulate.chart;

/**
 * The window in which most permits of one key left.
 *
 * @param from the first departure in it, in microseconds since the epoch
 * @param to the last departure in it
 * @param permits the permits that left from {@code from} to {@code to}
 * @param window what the limit promises by its rate
 */
public record Worst(String key, long from, long to, long permits, LimitWindow window) {}
