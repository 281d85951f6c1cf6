package io.sluice.redis;

/** Asks how long a key is still paused, in microseconds. */
final class PausedCall extends Call<Long> {
    PausedCall(RedisLimiter limiter, String key) {
        super(Verb.PAUSED, limiter, key, 0);
    }

    @Override
    void answer(Reply reply) {
        long rest = reply.number(7);
        if (claim()) {
            tell(rest);
        }
    }

    /** Who asks has its permits already: without Redis it goes. */
    @Override
    Long fallback() {
        return 0L;
    }

    @Override
    void giveBack(Long rest) {}
}
