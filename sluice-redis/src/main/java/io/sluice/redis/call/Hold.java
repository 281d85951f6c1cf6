package io.sluice.redis.call;

import io.sluice.spi.Taking;

/**
 * A permit of a concurrency limit that is held.
 *
 * @param id names it among the holds of its key
 */
record Hold(LimiterContext limiter, String key, long id) {
    /** A charge for 0 permits of its key. */
    KeyCharge look() {
        return new KeyCharge(limiter, key, 0, 0, false, Taking.IF_ADMITTED, null, null);
    }
}
