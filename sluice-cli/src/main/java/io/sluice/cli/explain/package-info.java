/**
 * {@code sluice explain}: prints which policies apply to one request. Only {@link io.sluice.cli.Main} uses it.
 */
@NullMarked
package io.sluice.cli.explain;

import org.jspecify.annotations.NullMarked;
