/** Counts decisions and times them. The engine does so; alerts and metrics read through the engine. */
@NullMarked
package io.sluice.policy.metrics;

import org.jspecify.annotations.NullMarked;
