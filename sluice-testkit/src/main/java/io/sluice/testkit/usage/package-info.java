/**
 * The exact usage of a key for each algorithm of the reference model, as fractions that fall with time. Only
 * {@code io.sluice.testkit} uses it; it is not for users and uses nothing of the testkit.
 */
@NullMarked
package io.sluice.testkit.usage;

import org.jspecify.annotations.NullMarked;
