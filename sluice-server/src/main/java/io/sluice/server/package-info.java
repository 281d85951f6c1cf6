/** The service: {@link io.sluice.server.SluiceServer} listens, by a {@link io.sluice.server.ServerConfig}. */
@NullMarked
package io.sluice.server;

import org.jspecify.annotations.NullMarked;
