/** What a server is told by flags, the environment and a file, made a {@link io.sluice.server.ServerConfig}. */
@NullMarked
package io.sluice.server.settings;

import org.jspecify.annotations.NullMarked;
