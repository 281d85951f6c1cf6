/**
 * The snapshot of a memory store: its format, and how it is written and read. Users see {@link
 * io.sluice.memory.snapshot.Snapshot} and {@link io.sluice.memory.snapshot.SnapshotException}; only the memory store uses the
 * rest.
 */
@NullMarked
package io.sluice.memory.snapshot;

import org.jspecify.annotations.NullMarked;
