/**
 * The memory store: it keeps the state of keys in this process, decides, and saves snapshots. Users come in by {@link
 * io.sluice.memory.MemoryStore}; everything else is hidden.
 */
@NullMarked
package io.sluice.memory;

import org.jspecify.annotations.NullMarked;
