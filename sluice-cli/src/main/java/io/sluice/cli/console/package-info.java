/**
 * What all commands share: the standard streams, input files, output and the exceptions that end a command. Every
 * command may use it; it knows no command.
 */
@NullMarked
package io.sluice.cli.console;

import org.jspecify.annotations.NullMarked;
