package io.sluice.testkit;

/** What {@link ReferenceModel#reserve} answers; {@link ReferenceModel#cancel} takes it back. */
public final class Hold {
    private final String key;
    private final long permits;
    private final boolean granted;
    private final long waitMicros;

    Hold(String key, long permits, boolean granted, long waitMicros) {
        this.key = key;
        this.permits = permits;
        this.granted = granted;
        this.waitMicros = waitMicros;
    }

    String key() {
        return key;
    }

    long permits() {
        return permits;
    }

    /** Whether the permits were taken. */
    public boolean granted() {
        return granted;
    }

    /** How long to wait before using the permits; 0 if not granted. */
    public long delayMicros() {
        return granted ? waitMicros : 0;
    }

    /** 0 if granted; else how long until the permits would need no wait, or {@link io.sluice.Decision#NEVER}. */
    public long retryAfterMicros() {
        return granted ? 0 : waitMicros;
    }

    @Override
    public String toString() {
        return "Hold[key=" + key + ", permits=" + permits + ", granted=" + granted + ", waitMicros=" + waitMicros + "]";
    }
}
