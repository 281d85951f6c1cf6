/**
 * The output of a simulation: decisions as CSV or JSON, the difference between two policy files, the progress line. Only
 * the simulate command uses it.
 */
@NullMarked
package io.sluice.cli.simulate.report;

import org.jspecify.annotations.NullMarked;
