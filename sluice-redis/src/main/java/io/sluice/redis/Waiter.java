package io.sluice.redis;

import io.sluice.redis.call.Admission;
import io.sluice.redis.script.Arguments;
import java.util.concurrent.CompletableFuture;

/**
 * A caller that waits for permits of a key. Two waiters are never equal.
 *
 * @param number the order of arrival
 * @param enters whether it wants to hold the permit
 * @param deadline the end of the timeout, on the clock of {@link Sleep}
 * @param future completes with the answer
 */
record Waiter(long number, long permits, boolean enters, long deadline, CompletableFuture<Admission> future) {
    /** Whether it waits without a timeout. */
    boolean hasNoTimeout(Sleep sleep) {
        return deadline - sleep.micros() >= Arguments.FOR_EVER / 2;
    }

    /** Whether permits that were not granted may still be free before the timeout ends. */
    boolean isInTime(Admission admission, Sleep sleep) {
        return admission.waitMicros() <= deadline - sleep.since(admission.virtualMicros());
    }
}
