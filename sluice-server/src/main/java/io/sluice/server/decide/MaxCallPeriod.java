package io.sluice.server.decide;

import java.time.Duration;

/*
 * The state of a key is kept until the key is fresh again. If the limit comes with the call, the caller says how long that
 * takes. So the server has a maximum.
 */
/**
 * The longest period of a limit that comes with a call.
 *
 * @param period inclusive
 */
public record MaxCallPeriod(Duration period) {
    public static final Duration DEFAULT = Duration.ofDays(31);

    public boolean allows(Duration other) {
        return other.compareTo(period) <= 0;
    }

    /** The end of an error message about a longer period. */
    public String expected() {
        return "(expected: at most " + period.toSeconds() + " seconds, as the setting max-call-period says)";
    }
}
