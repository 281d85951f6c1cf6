/**
 * Decides requests by compiled policies, and replaces the policies while requests are decided. Only {@link
 * io.sluice.policy.PolicyEngine} and {@link io.sluice.policy.PolicyView} may use it.
 */
@NullMarked
package io.sluice.policy.engine;

import org.jspecify.annotations.NullMarked;
