package io.sluice.cli.simulate.report;

/** How many requests are denied that were allowed, and the other way round. */
final class ChangeCount {
    private long denied;
    private long allowed;

    /** Another request that is allowed no more, or is allowed now. */
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
