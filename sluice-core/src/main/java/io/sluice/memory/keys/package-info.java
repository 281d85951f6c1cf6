/**
 * The keys of a memory store: the tables that hold them, the locks on them during a decision, expiry and eviction. Only
 * {@code io.sluice.memory} comes in.
 */
@NullMarked
package io.sluice.memory.keys;

import org.jspecify.annotations.NullMarked;
