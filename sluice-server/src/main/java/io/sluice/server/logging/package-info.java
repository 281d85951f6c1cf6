/** How the service logs: a line for each event, as text or as JSON. */
@NullMarked
package io.sluice.server.logging;

import org.jspecify.annotations.NullMarked;
