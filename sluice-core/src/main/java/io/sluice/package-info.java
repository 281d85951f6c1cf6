/**
 * Limits, decisions and limiters: say a {@link io.sluice.Limit}, ask a {@link io.sluice.RateLimiter}, read the {@link
 * io.sluice.Decision}. The memory store keeps the state of this process; other stores share it between processes with
 * the same decisions. Nothing here depends on anything but the JDK.
 */
@NullMarked
package io.sluice;

import org.jspecify.annotations.NullMarked;
