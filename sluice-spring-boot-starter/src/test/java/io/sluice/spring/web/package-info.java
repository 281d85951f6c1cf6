/** Tests of what both web stacks share. */
@NullMarked
package io.sluice.spring.web;

import org.jspecify.annotations.NullMarked;
