package io.sluice.memory.state;

/**
 * How much of its limit a key has used. A full store evicts the keys that have used the least.
 *
 * @param percent the use in percent of the limit, rounded up: 0 for a fresh key, at most {@link #LIGHT_PERCENT} if at most a
 *     tenth is used, {@link #USED_UP} if no whole permit is left, {@link #DENIED} if the key is locked out or paused
 * @param timeUntilLight the microseconds until at most a tenth is used and nothing denies the key, without other requests
 * @param lastUsed the time of the latest use. For an {@link AtomicBucket}, an estimate that is later for keys that have used
 *     more
 */
public record KeyUsage(int percent, long timeUntilLight, long lastUsed) {
    public static final int LIGHT_PERCENT = 10;

    static final int USED_UP = 100;
    static final int DENIED = 101;

    static final KeyUsage FRESH = new KeyUsage(0, 0, 0);

    /** For a key that is not fresh and has at least one permit left. */
    static KeyUsage partlyUsed(long usedPercent, long timeUntilLight, long lastUsed) {
        long percent =
                timeUntilLight == 0 ? Math.min(usedPercent, LIGHT_PERCENT) : Math.max(usedPercent, LIGHT_PERCENT + 1);
        return new KeyUsage((int) Math.max(1, Math.min(percent, USED_UP - 1)), timeUntilLight, lastUsed);
    }

    public boolean isFresh() {
        return percent == 0;
    }

    /** Whether the key is light: at most a tenth of the limit is used. Other keys are heavy. */
    public boolean isLight() {
        return percent <= LIGHT_PERCENT;
    }
}
