package io.sluice.memory.snapshot;

import io.sluice.Limit;
import io.sluice.memory.keys.KeyTable;
import io.sluice.memory.state.ActiveLimit;
import java.util.List;

/**
 * The limits of a limiter, its tables and their active limits, as of one moment.
 *
 * @param limits the limits, in the order in which they were given
 * @param tables one table for each limit, in the same order
 * @param active the active limit of each table
 */
public record LimitsInForce(List<Limit> limits, List<KeyTable> tables, List<ActiveLimit> active) {}
