/**
 * Watches the counters of decisions and fires alerts. Only {@link io.sluice.policy.PolicyEngine} may use it.
 */
@NullMarked
package io.sluice.policy.alert;

import org.jspecify.annotations.NullMarked;
