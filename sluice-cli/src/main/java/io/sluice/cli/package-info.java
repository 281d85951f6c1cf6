/**
 * The {@code sluice} command line. {@link io.sluice.cli.Main} is the entry point: it registers the commands, one package
 * each, and turns their errors into messages and exit codes. No other package may use this one.
 */
@NullMarked
package io.sluice.cli;

import org.jspecify.annotations.NullMarked;
