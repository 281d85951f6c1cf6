/**
 * Counts the most frequent keys in a fixed amount of memory. The engine may use it; users see {@link
 * io.sluice.policy.TopKeys}.
 */
@NullMarked
package io.sluice.policy.top;

import org.jspecify.annotations.NullMarked;
