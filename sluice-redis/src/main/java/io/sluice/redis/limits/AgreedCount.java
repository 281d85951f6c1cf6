package io.sluice.redis.limits;

/** The number of changes of limits in Redis when this process agreed on all its limiters; empty if it never did. */
final class AgreedCount {
    private volatile String count = "";

    String get() {
        return count;
    }

    synchronized void set(String count) {
        this.count = count;
    }

    /** Sets the number, if it is the expected one. */
    synchronized void replace(String expected, String count) {
        if (this.count.equals(expected)) {
            this.count = count;
        }
    }
}
