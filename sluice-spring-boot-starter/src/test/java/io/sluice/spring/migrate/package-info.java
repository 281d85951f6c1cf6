/** The Spring code of the guides, and tests that run it and compare it with the pages. */
@NullMarked
package io.sluice.spring.migrate;

import org.jspecify.annotations.NullMarked;
