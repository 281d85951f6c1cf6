/** Tests of meters and observations. */
@NullMarked
package io.sluice.spring.metrics;

import org.jspecify.annotations.NullMarked;
