/**
 * Warns of policies that are valid but probably wrong. Only the reader of policy files may use it.
 */
@NullMarked
package io.sluice.policy.lint;

import org.jspecify.annotations.NullMarked;
