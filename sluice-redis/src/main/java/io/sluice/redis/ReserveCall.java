package io.sluice.redis;

/** Takes permits ahead of their time. */
final class ReserveCall extends Call<RedisReservation> {
    private final long atMostMicros;

    /** Whether the caller was let through without Redis. */
    private volatile boolean toldGranted;

    ReserveCall(RedisLimiter limiter, String key, long permits, long atMostMicros) {
        super(Verb.RESERVE, limiter, key, permits);
        this.atMostMicros = atMostMicros;
    }

    @Override
    void encode(Bytes bytes, Batch batch) {
        bytes.number(atMostMicros, 7);
    }

    @Override
    void answer(Reply reply) {
        boolean granted = reply.number(1) == 1;
        long wait = reply.wait(7);
        byte[] receipt = reply.text((int) reply.number(2));
        RedisReservation reservation = RedisReservation.of(this, granted, wait, receipt);
        if (claim()) {
            tell(reservation);
        } else if (!toldGranted) {
            // Who was let through without Redis uses what Redis has charged all the same.
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
