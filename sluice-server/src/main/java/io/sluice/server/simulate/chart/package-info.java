/**
 * The numbers of a picture of a simulation: counts over time, the remaining permits of some keys, the worst window. The memory
 * is bounded for a trace of any length. Who draws decides how it looks.
 */
@NullMarked
package io.sluice.server.simulate.chart;

import org.jspecify.annotations.NullMarked;
