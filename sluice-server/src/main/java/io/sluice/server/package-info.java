/**
 * The service: {@link io.sluice.server.SluiceServer} runs with a {@link io.sluice.server.ServerConfig}. The command and users
 * who embed a server call it; the other packages use only its configuration and its exceptions.
 */
@NullMarked
package io.sluice.server;

import org.jspecify.annotations.NullMarked;
