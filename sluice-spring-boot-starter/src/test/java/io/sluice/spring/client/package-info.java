/** Tests of HTTP clients that are paced, against an API on this machine. */
@NullMarked
package io.sluice.spring.client;

import org.jspecify.annotations.NullMarked;
