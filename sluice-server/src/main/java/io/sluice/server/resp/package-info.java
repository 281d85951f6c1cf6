/**
 * RESP, the protocol of Redis: reads commands, decides them and replies in order, on the event loop of the connection. Only the
 * listener in {@code io.sluice.server} uses it.
 */
@NullMarked
package io.sluice.server.resp;

import org.jspecify.annotations.NullMarked;
