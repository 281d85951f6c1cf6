/**
 * Draws the decisions of a simulation as an SVG file, in bounded memory. {@code report} fills it, and the simulate
 * command writes the file.
 */
@NullMarked
package io.sluice.cli.simulate.plot;

import org.jspecify.annotations.NullMarked;
