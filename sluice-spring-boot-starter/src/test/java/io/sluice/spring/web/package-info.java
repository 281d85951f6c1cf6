/** What the tests of both web stacks share: one test class for both, and a client. */
@NullMarked
package io.sluice.spring.web;

import org.jspecify.annotations.NullMarked;
