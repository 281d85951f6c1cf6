package io.sluice.memory.snapshot;

/**
 * Summary of a snapshot that a memory store saved or restored.
 *
 * @param micros the time of the save on the wall clock, in microseconds since the Unix epoch
 * @param limiters the number of limiters
 * @param keys the number of keys. A restore may keep fewer: some may be fresh by now, or the store may be smaller
 * @param publications the number of publications
 */
public record Snapshot(long micros, int limiters, long keys, int publications) {}
