/**
 * What stores and policy engines share, and users do not call: charges with the options of a policy, limits that are put in
 * force together, texts that all processes of a store share.
 */
@NullMarked
package io.sluice.spi;

import org.jspecify.annotations.NullMarked;
