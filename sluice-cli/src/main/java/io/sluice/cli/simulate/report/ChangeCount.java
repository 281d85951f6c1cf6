package io.sluice.cli.simulate.report;

/** Counts requests that are newly denied or newly allowed. */
final class ChangeCount {
    private long denied;
    private long allowed;

    /** Counts a request that is newly allowed or newly denied. */
    void count(boolean allowedNow) {
        if (allowedNow) {
            allowed++;
        } else {
            denied++;
        }
    }

    long newlyDenied() {
        return denied;
    }

    long newlyAllowed() {
        return allowed;
    }

    long total() {
        return denied + allowed;
    }
}
