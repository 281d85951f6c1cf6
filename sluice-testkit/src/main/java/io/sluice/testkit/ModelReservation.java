package io.sluice.testkit;

/**
 * The result of {@link ReferenceModel#reserve} or {@link ReferenceModel#enter}. {@link ReferenceModel#cancel} gives the permits
 * back, {@link ReferenceModel#leave} those that are held.
 */
public final class ModelReservation {
    private final String key;
    private final long permits;
    private final boolean granted;
    private final long waitMicros;
    private final int entering;

    ModelReservation(String key, long permits, boolean granted, long waitMicros) {
        this(key, permits, granted, waitMicros, 0);
    }

    /** @param entering how many permits are held of each limit of concurrency */
    ModelReservation(String key, long permits, boolean granted, long waitMicros, int entering) {
        this.entering = entering;
        this.key = key;
        this.permits = permits;
        this.granted = granted;
        this.waitMicros = waitMicros;
    }

    String key() {
        return key;
    }

    int entering() {
        return entering;
    }

    long permits() {
        return permits;
    }

    /** Whether the permits were taken. */
    public boolean granted() {
        return granted;
    }

    /** The time to wait before the permits may be used; 0 if not granted. */
    public long delayMicros() {
        return granted ? waitMicros : 0;
    }

    /** The time until the permits would need no wait, or {@link io.sluice.Decision#NEVER}; 0 if granted. */
    public long retryAfterMicros() {
        return granted ? 0 : waitMicros;
    }

    @Override
    public String toString() {
        return "ModelReservation[key=" + key + ", permits=" + permits + ", granted=" + granted + ", waitMicros="
                + waitMicros + "]";
    }
}
