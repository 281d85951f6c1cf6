/**
 * The explanation why policies apply to a request or not, as text and as JSON. Users may use it; the engine creates it.
 */
@NullMarked
package io.sluice.policy.explain;

import org.jspecify.annotations.NullMarked;
