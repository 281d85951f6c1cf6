/**
 * Formats the log as text or JSON, and limits the number of lines that clients can cause. The command configures it; every
 * package of the server may use {@link io.sluice.server.logging.PeerLog}.
 */
@NullMarked
package io.sluice.server.logging;

import org.jspecify.annotations.NullMarked;
