/**
 * Reads policies and alerts from the nodes of a policy file. Only {@link io.sluice.policy.Policies} may use it.
 */
@NullMarked
package io.sluice.policy.reader;

import org.jspecify.annotations.NullMarked;
