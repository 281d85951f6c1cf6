package io.sluice.memory.state;

/**
 * How much of its limit a key has used: by this the keys are chosen that make room in a full store.
 *
 * @param share what is used, in percent of the limit, rounded up: 0 if the key is fresh, at most {@link #TENTH} if no more
 *     than a tenth is used, {@link #USED_UP} if no whole permit is left, {@link #SHUT} if the key is locked or paused
 * @param lightIn the microseconds after which no more than a tenth is used and nothing is shut, if nothing else came
 * @param last when it was used last; of buckets in one word, a time that is later for those that have used more
 */
public record Standing(int share, long lightIn, long last) {
    public static final int TENTH = 10;
    static final int USED_UP = 100;
    static final int SHUT = 101;

    static final Standing FRESH = new Standing(0, 0, 0);

    /** For a key that is not fresh and of which something is left. */
    static Standing partly(long percent, long lightIn, long last) {
        long share = lightIn == 0 ? Math.min(percent, TENTH) : Math.max(percent, TENTH + 1);
        return new Standing((int) Math.max(1, Math.min(share, USED_UP - 1)), lightIn, last);
    }

    public boolean isFresh() {
        return share == 0;
    }

    /** Whether no more than a tenth is used. Others are heavy. */
    public boolean isLight() {
        return share <= TENTH;
    }
}
