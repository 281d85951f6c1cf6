/**
 * Decides the requests of a trace at their recorded times, on the memory store or any other. It uses only
 * {@code trace}; {@code redis}, {@code report} and the command use it.
 */
@NullMarked
package io.sluice.cli.simulate.decide;

import org.jspecify.annotations.NullMarked;
