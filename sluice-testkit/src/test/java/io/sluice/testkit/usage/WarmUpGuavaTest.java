package io.sluice.testkit.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.common.util.concurrent.GuavaWarmUp;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.WarmUp;
import io.sluice.memory.MemoryStore;
import io.sluice.testkit.ManualTime;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/*
 * Guava counts with doubles, and rounds each part of a price down to a microsecond: that of the cold permits, that of the
 * stored warm ones, and that of the fresh ones. So its price can be up to three microseconds less than the exact one, which in
 * whole microseconds is two. It would drift away from ours with every call. So it gets our state before each.
 */
/** A limit that warms up beside Guava's own: from equal state, each request costs the same. */
class WarmUpGuavaTest {
    private static final int CALLS = 10_000;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "warm-up 100/s over 10s",
                "warm-up 7/s over 3s",
                "warm-up 1 per 3s over 1m",
                "warm-up 5000/s over 500ms",
                "warm-up 999 per 7s over 20s",
                "warm-up 2/s over 100ms"
            })
    void request_fromEqualState_costsWhatItCostsInGuava(String text) {
        WarmUp limit = (WarmUp) Limit.parse(text);
        Fraction rate = Fraction.of(limit.permits(), Usage.micros(limit.period()));
        double unitsPerPermit = rate.denominator().doubleValue();
        long over = Usage.micros(limit.over());
        GuavaWarmUp guava = new GuavaWarmUp(limit.permits() * 1e6 / Usage.micros(limit.period()), over);
        WarmUpUsage usage = WarmUpUsage.fresh(limit);
        assertThat(guava.coldPermits())
                .as("cold")
                .isCloseTo(usage.stored().doubleValue() / unitsPerPermit, within(1e-6));

        ManualTime time = ManualTime.at(ManualTime.START_MICROS);
        RateLimiter limiter = MemoryStore.builder().time(time).build().limiter("limiter", limit);
        long seed = text.hashCode();
        Random random = new Random(seed);
        int cold = 0;
        for (int call = 0; call < CALLS; call++) {
            long free = usage.free().ceil().longValueExact();
            long now = Math.max(time.micros(), free) + pause(random, over);
            time.set(now);
            usage = usage.arrive(now);
            int permits = (int) Math.min(limit.capacity(), 1L + random.nextInt(1 << random.nextInt(12)));
            double stored = usage.stored().doubleValue() / unitsPerPermit;
            String which = "seed " + seed + ", call " + call + ": " + permits + " permits with " + stored + " stored";

            usage = (WarmUpUsage) usage.plus(permits, now);
            assertThat(limiter.check("key", permits).allowed()).as(which).isTrue();
            Fraction cost = usage.free().minus(Fraction.of(now));
            assertThat(limiter.peek("key").retryAfterMicros())
                    .as(which)
                    .isEqualTo(cost.ceil().longValueExact());
            assertThat(cost.floor().longValueExact()).as(which).isCloseTo(guava.cost(stored, permits), within(2L));
            cold += stored > guava.coldPermits() / 2 ? 1 : 0;
        }
        assertThat(cold).as("requests while it was rather cold").isBetween(CALLS / 20, CALLS * 19 / 20);
    }

    /** Often none, mostly shorter than the warm-up, sometimes so long that it is cold again. */
    private static long pause(Random random, long over) {
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> 0;
            case 3 -> random.nextInt(3);
            case 4 -> (long) (random.nextDouble() * 2 * over);
            default -> (long) (random.nextDouble() * over / 8);
        };
    }
}
