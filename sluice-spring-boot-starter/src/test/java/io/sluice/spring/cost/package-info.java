/** Tests of costs that are known only afterwards. */
@NullMarked
package io.sluice.spring.cost;

import org.jspecify.annotations.NullMarked;
