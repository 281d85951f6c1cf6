/** Tests of the support for tests. */
@NullMarked
package io.sluice.spring.test;

import org.jspecify.annotations.NullMarked;
