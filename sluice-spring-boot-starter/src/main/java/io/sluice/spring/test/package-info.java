/**
 * Support for the tests of applications: {@link io.sluice.spring.test.AutoConfigureSluice} gives a test manual time, a store in
 * memory, and fresh limits for each test method. It needs {@code sluice-testkit} in scope test.
 */
@NullMarked
package io.sluice.spring.test;

import org.jspecify.annotations.NullMarked;
