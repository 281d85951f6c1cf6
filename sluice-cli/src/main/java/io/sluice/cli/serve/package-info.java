/**
 * {@code sluice serve}: reads the settings, starts the server and waits for a signal to stop it. Only
 * {@link io.sluice.cli.Main} uses it.
 */
@NullMarked
package io.sluice.cli.serve;

import org.jspecify.annotations.NullMarked;
