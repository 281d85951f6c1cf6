package io.sluice.server.decide;

import java.time.Duration;

/*
 * What a key has used is kept until it is fresh again, and how long that takes is for whoever calls to say. So the server
 * says how long it may be.
 */
/**
 * The longest period that a limit may have which comes with a call.
 *
 * @param longest inclusive
 */
public record CallPeriod(Duration longest) {
    /** Unless a setting says otherwise. */
    public static final Duration USUAL = Duration.ofDays(31);

    public boolean allows(Duration period) {
        return period.compareTo(longest) <= 0;
    }

    /** What to tell who asks for a longer one. */
    public String expected() {
        return "(expected: at most " + longest.toSeconds() + " seconds, as the setting max-call-period says)";
    }
}
