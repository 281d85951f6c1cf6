package io.sluice.redis.call;

import io.sluice.redis.script.Bytes;
import io.sluice.redis.script.Outcome;
import io.sluice.redis.script.Reply;
import io.sluice.redis.script.Verb;

/** Reserves permits ahead of time. */
public final class ReserveCall extends Call<RedisReservation> {
    private static final int GRANTED = Outcome.ALLOWED.code();
    private static final int PAUSED = Outcome.DENIED_BY_PAUSE.code();

    /** Whether the caller waits for the permits. Such a caller waits for Redis as well. */
    final boolean waits;

    private final long atMostMicros;

    /** Whether the caller was granted the permits without Redis. */
    private volatile boolean grantedWithoutRedis;

    public ReserveCall(LimiterContext limiter, String key, long permits, long atMostMicros, boolean waits) {
        super(Verb.RESERVE, limiter, key, permits);
        this.atMostMicros = atMostMicros;
        this.waits = waits;
    }

    @Override
    void encode(Bytes bytes, Batch batch) {
        bytes.number(atMostMicros, 7);
    }

    @Override
    void answer(Reply reply) {
        long answer = reply.number(1);
        long wait = reply.waitMicros(7);
        byte[] receipt = reply.text((int) reply.number(2));
        boolean granted = answer == GRANTED;
        RedisReservation reservation = answer == PAUSED
                ? RedisReservation.paused(this, wait)
                : RedisReservation.of(this, granted, wait, receipt);
        if (local != null && granted) {
            local.taken(permits);
        }
        if (claim()) {
            deliver(reservation);
        } else if (!grantedWithoutRedis) {
            reservation.cancelAsync();
        } else if (granted && local != null && local.chargedAfterAll(permits) > 0) {
            // The caller was granted the permits without Redis, and uses them. They must not be charged twice.
            reservation.cancelAsync();
        }
    }

    @Override
    void giveBack(RedisReservation reservation) {
        grantedWithoutRedis = false;
        reservation.cancelAsync();
    }

    @Override
    RedisReservation fallback() {
        RedisReservation reservation = limiter.fallback().reserve(this, atMostMicros);
        grantedWithoutRedis = reservation.granted();
        return reservation;
    }
}
