/** Tests of the auto-configuration, under every condition. */
@NullMarked
package io.sluice.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
