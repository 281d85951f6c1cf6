/** The state of a memory store that survives a restart: the data directory and its snapshots. Only {@code io.sluice.server} uses it. */
@NullMarked
package io.sluice.server.state;

import org.jspecify.annotations.NullMarked;
