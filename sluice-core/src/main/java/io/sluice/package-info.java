/**
 * The API that users call: describe a {@link io.sluice.Limit}, ask a {@link io.sluice.RateLimiter}, read the {@link
 * io.sluice.Decision}. Everybody may come in; this room itself uses {@code io.sluice.exact}, and {@code RateLimiter.of} creates
 * a {@link io.sluice.memory.MemoryStore}.
 */
@NullMarked
package io.sluice;

import org.jspecify.annotations.NullMarked;
