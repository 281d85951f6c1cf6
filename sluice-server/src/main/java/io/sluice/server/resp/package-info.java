/** RESP, the protocol of Redis: commands are read, decided and answered in order, on the event loop of their connection. */
@NullMarked
package io.sluice.server.resp;

import org.jspecify.annotations.NullMarked;
