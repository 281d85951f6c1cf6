/**
 * The input of a simulation: readers of recorded requests in CSV and JSON. All other packages of the simulation may use
 * it; it knows none of them.
 */
@NullMarked
package io.sluice.server.simulate.trace;

import org.jspecify.annotations.NullMarked;
