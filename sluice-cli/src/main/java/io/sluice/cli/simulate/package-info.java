/**
 * {@code sluice simulate}: parses the command line and connects reader, runner and report. Only
 * {@link io.sluice.cli.Main} uses it.
 */
@NullMarked
package io.sluice.cli.simulate;

import org.jspecify.annotations.NullMarked;
