/** The application without a rate limit: a controller that returns a constant. */
@NullMarked
package io.sluice.benchmarks.spring.mvc;

import org.jspecify.annotations.NullMarked;
