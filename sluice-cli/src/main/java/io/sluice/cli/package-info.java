/**
 * The {@code sluice} command. {@link io.sluice.cli.Main} is the door; every subcommand is a class of its own that gets
 * the standard streams handed in, so that tests run it in their own process.
 */
@NullMarked
package io.sluice.cli;

import org.jspecify.annotations.NullMarked;
