/**
 * Policies, and the engine that decides requests by them. {@link io.sluice.policy.Policies} is the content of a policy
 * file, {@link io.sluice.policy.PolicyEngine} decides requests on any store. Users call this package; only these two,
 * the engine's builder and {@link io.sluice.policy.PolicyView} use the packages below it.
 */
@NullMarked
package io.sluice.policy;

import org.jspecify.annotations.NullMarked;
