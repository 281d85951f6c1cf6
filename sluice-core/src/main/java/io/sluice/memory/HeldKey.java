package io.sluice.memory;

/**
 * A hold of one key of one limiter.
 *
 * @param calls whether the limiter is a call limiter
 * @param key the text under which the key is stored
 */
record HeldKey(String limiter, boolean calls, String key, long id) {
    static HeldKey of(MemoryChargeable limiter, String key, long id) {
        return new HeldKey(limiter.name(), limiter instanceof MemoryCallLimiter, key, id);
    }
}
