/** Slows down clients that guess a password or a token. {@code resp} and {@code admin} use it. */
@NullMarked
package io.sluice.server.guard;

import org.jspecify.annotations.NullMarked;
