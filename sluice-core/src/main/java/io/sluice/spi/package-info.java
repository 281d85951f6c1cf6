/**
 * Types that stores and policy engines share: charges with the options of a policy, limits that are put in force together,
 * published texts, waiting calls. Stores and policy engines come in; users do not need it.
 */
@NullMarked
package io.sluice.spi;

import org.jspecify.annotations.NullMarked;
