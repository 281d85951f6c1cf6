/**
 * {@code bench server}: the speed of the service, in its own process, beside other servers. Only
 * {@link io.sluice.benchmarks.Main} uses it.
 */
@NullMarked
package io.sluice.benchmarks.server;

import org.jspecify.annotations.NullMarked;
