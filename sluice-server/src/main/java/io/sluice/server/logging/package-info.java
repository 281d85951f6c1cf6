/** How the service logs: a line for each event, as text or as JSON; of what peers can cause, one for each kind and minute. */
@NullMarked
package io.sluice.server.logging;

import org.jspecify.annotations.NullMarked;
