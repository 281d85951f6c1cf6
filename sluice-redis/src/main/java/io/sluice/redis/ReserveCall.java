package io.sluice.redis;

/** Takes permits ahead of their time. */
final class ReserveCall extends Call<RedisReservation> {
    private static final int GRANTED = 1;
    private static final int PAUSED = 2;

    /** Whether somebody waits for the permits, and would rather wait for Redis than go without it. */
    final boolean waits;

    private final long atMostMicros;

    /** Whether the caller was let through without Redis. */
    private volatile boolean toldGranted;

    ReserveCall(RedisLimiter limiter, String key, long permits, long atMostMicros, boolean waits) {
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
        long wait = reply.wait(7);
        byte[] receipt = reply.text((int) reply.number(2));
        boolean granted = answer == GRANTED;
        RedisReservation reservation = answer == PAUSED
                ? RedisReservation.paused(this, wait)
                : RedisReservation.of(this, granted, wait, receipt);
        if (local != null && granted) {
            local.taken(permits);
        }
        if (claim()) {
            tell(reservation);
        } else if (!toldGranted) {
            reservation.cancelAsync();
        } else if (granted && local != null && local.chargedAfterAll(permits) > 0) {
            // Who was let through without Redis uses what Redis has charged all the same, but is not charged twice.
            reservation.cancelAsync();
        }
    }

    @Override
    void giveBack(RedisReservation reservation) {
        toldGranted = false;
        reservation.cancelAsync();
    }

    @Override
    RedisReservation fallback() {
        RedisReservation reservation = limiter.fallback().reserve(this, atMostMicros);
        toldGranted = reservation.granted();
        return reservation;
    }
}
