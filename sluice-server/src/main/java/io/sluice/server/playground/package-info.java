/**
 * The playground: decides a shaped or pasted trace by several limits, with the engine of the service. Only {@code
 * io.sluice.server} uses it.
 */
@NullMarked
package io.sluice.server.playground;

import org.jspecify.annotations.NullMarked;
