/**
 * The memory store: it keeps the state of this process. {@link io.sluice.memory.MemoryStore} is the door; everything else is
 * hidden.
 */
@NullMarked
package io.sluice.memory;

import org.jspecify.annotations.NullMarked;
