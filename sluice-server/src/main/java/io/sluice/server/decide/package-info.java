/**
 * Decides requests by the policies, and has the maximum sizes of a request. Every protocol ({@code http}, {@code rls},
 * {@code resp}) uses it; it knows none of them.
 */
@NullMarked
package io.sluice.server.decide;

import org.jspecify.annotations.NullMarked;
