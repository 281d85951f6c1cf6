package io.sluice.memory.state;

import io.sluice.exact.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * Fields of a key that few keys need.
 *
 * @param lockedUntil when the running or last lockout ends
 * @param escalation how many times the next lockout is doubled; forgotten a day after {@code lockedUntil}
 * @param pausedUntil when the running or last pause ends
 * @param lastGiveBack the note from which the next receipt reads on
 * @param tentative permits that were taken tentatively: a denial that only they cause starts no lockout
 */
record RareFields(
        long lockedUntil,
        int escalation,
        long pausedUntil,
        @Nullable GiveBackNote lastGiveBack,
        long tentative) {
    /** How long after a lockout its escalation is forgotten. */
    static final long FORGET_MICROS = DurationText.DAY;

    static final long NOT_YET = Long.MIN_VALUE;

    static final RareFields NONE = new RareFields(NOT_YET, 0, NOT_YET, null, 0);

    RareFields lockedUntil(long until, int escalation) {
        return new RareFields(until, escalation, pausedUntil, lastGiveBack, tentative);
    }

    RareFields pausedUntil(long until) {
        return new RareFields(lockedUntil, escalation, until, lastGiveBack, tentative);
    }

    RareFields lastGiveBack(@Nullable GiveBackNote note) {
        return new RareFields(lockedUntil, escalation, pausedUntil, note, tentative);
    }

    RareFields tentative(long permits) {
        return new RareFields(lockedUntil, escalation, pausedUntil, lastGiveBack, permits);
    }

    /** The time until which everything is denied. */
    long deniedUntil() {
        return Math.max(lockedUntil, pausedUntil);
    }

    /** The time until which the escalation is remembered. */
    long escalatedUntil() {
        return escalation == 0 ? NOT_YET : lockedUntil + FORGET_MICROS;
    }

    /** The escalation that counts at t. */
    int escalationAt(long t) {
        return t < escalatedUntil() ? escalation : 0;
    }

    boolean isNone() {
        return equals(NONE);
    }
}
