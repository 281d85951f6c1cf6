/**
 * The web page of the service: its documents, scripts and styles. It calls the API as any other client; only {@code
 * io.sluice.server} uses it.
 */
@NullMarked
package io.sluice.server.dashboard;

import org.jspecify.annotations.NullMarked;
