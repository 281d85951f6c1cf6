/**
 * The limits in force, on which all processes agree through Redis, and their versions. The rooms {@code local}, {@code
 * call} and {@code io.sluice.redis} may come in; this room enters {@code connect} and {@code script}.
 */
@NullMarked
package io.sluice.redis.limits;

import org.jspecify.annotations.NullMarked;
