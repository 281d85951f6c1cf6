/**
 * The playground: {@code POST /v1/simulate} decides traffic of a chosen shape, or a pasted trace, by several limits side by side. It
 * runs the engine of {@code sluice simulate} on a worker thread, within bounds.
 */
@NullMarked
package io.sluice.server.playground;

import org.jspecify.annotations.NullMarked;
