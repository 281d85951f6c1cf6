/**
 * Decides the requests of a trace at their recorded times, on the memory store or any other. It uses only {@code trace}.
 * The playground and {@code sluice simulate} use it, so both decide alike.
 */
@NullMarked
package io.sluice.server.simulate.decide;

import org.jspecify.annotations.NullMarked;
