/**
 * Policies: which limits apply to a request, said in YAML. {@link io.sluice.policy.Policies} is what a file says, {@link
 * io.sluice.policy.PolicyEngine} decides requests by it, on any store.
 */
@NullMarked
package io.sluice.policy;

import org.jspecify.annotations.NullMarked;
