package io.sluice.memory;

import java.io.InputStream;
import java.io.OutputStream;

/**
 * What {@link MemoryStore#save(OutputStream)} wrote, or {@link MemoryStore#restore(InputStream)} read.
 *
 * @param micros when it was saved, by the wall clock, in microseconds since the Unix epoch
 * @param limiters how many limiters it has
 * @param keys how many keys it has; more than were restored if time has made some fresh since, or the store is smaller
 * @param publications how many publications it has
 */
public record Snapshot(long micros, int limiters, long keys, int publications) {}
