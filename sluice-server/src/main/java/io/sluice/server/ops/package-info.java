/**
 * Health, readiness and metrics of the service, for its operators. Only {@code io.sluice.server} uses it.
 */
@NullMarked
package io.sluice.server.ops;

import org.jspecify.annotations.NullMarked;
