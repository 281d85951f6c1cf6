package io.sluice.redis;

import io.sluice.redis.call.RedisReservation;
import io.sluice.redis.script.Arguments;
import java.util.concurrent.CompletableFuture;

/**
 * Who waits for permits of a key. Two are never equal.
 *
 * @param number says who came first
 * @param deadline until when, by the clock of {@link Sleep}
 * @param future what it is told
 */
record Waiter(long number, long permits, long deadline, CompletableFuture<RedisReservation> future) {
    /** Whether it has a timeout at all. */
    boolean isPatient(Sleep sleep) {
        return deadline - sleep.micros() >= Arguments.FOR_EVER / 2;
    }

    /** Whether what was not granted may still be, as far as is known. */
    boolean isInTime(RedisReservation reservation, Sleep sleep) {
        return reservation.waitMicros() <= deadline - sleep.since(reservation.virtualMicros());
    }
}
