/** Draws a simulation as SVG or PNG. It uses the numbers of {@code io.sluice.server.simulate.chart}; the command uses it. */
@NullMarked
package io.sluice.cli.simulate.plot;

import org.jspecify.annotations.NullMarked;
