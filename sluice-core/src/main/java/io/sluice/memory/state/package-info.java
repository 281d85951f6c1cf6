/**
 * The state of a key: what it has used of one limit, for each algorithm, and the lock that guards it. Only the rooms of the
 * memory store come in: {@code io.sluice.memory.keys} and {@code io.sluice.memory}.
 */
@NullMarked
package io.sluice.memory.state;

import org.jspecify.annotations.NullMarked;
