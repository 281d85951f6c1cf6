/** The tests of slices whose annotations have another package in Spring Boot 4. */
@NullMarked
package io.sluice.spring.test.slice;

import org.jspecify.annotations.NullMarked;
