/** Slows down those who try to guess a password or a token. Every listener may use it. */
@NullMarked
package io.sluice.server.guard;

import org.jspecify.annotations.NullMarked;
