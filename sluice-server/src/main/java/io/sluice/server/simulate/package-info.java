/**
 * The simulation that the playground and {@code sluice simulate} share. {@code trace} reads requests, {@code decide} decides
 * them, {@code chart} sums them up for a picture.
 */
@NullMarked
package io.sluice.server.simulate;

import org.jspecify.annotations.NullMarked;
