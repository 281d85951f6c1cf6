/**
 * Reads settings from flags, the environment and a file, and makes a {@link io.sluice.server.ServerConfig} of them. The command
 * uses it; the server does not know it.
 */
@NullMarked
package io.sluice.server.settings;

import org.jspecify.annotations.NullMarked;
