package io.sluice.exact;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares the arithmetic of buckets with unbounded integers, for numbers up to the largest of a limit. */
class RateTest {
    private final Random random = new Random(7);

    private long upTo(long most) {
        return random.nextLong(1, Math.max(2, 1L << random.nextInt(1, 64 - Long.numberOfLeadingZeros(most))));
    }

    private static BigInteger big(long value) {
        return BigInteger.valueOf(value);
    }

    private static BigInteger units(Rate rate, Amount amount) {
        return big(amount.whole()).multiply(big(rate.unitsPerPermit())).add(big(amount.part()));
    }

    @Test
    void drainAndTimeFor_anyRate_areExact() {
        for (int i = 0; i < 200_000; i++) {
            Rate rate = Rate.of(upTo(Exact.MAX_NUMBER), Duration.ofMillis(upTo(Exact.MAX_NUMBER / 1000)));
            Amount amount =
                    new Amount(Math.min(upTo(Exact.MAX_NUMBER), rate.maxUse()), random.nextLong(rate.unitsPerPermit()));
            BigInteger used = units(rate, amount);

            long time = rate.timeFor(amount);
            BigInteger[] exact = used.divideAndRemainder(big(rate.unitsPerMicro()));
            assertThat(big(time)).isEqualTo(exact[1].signum() > 0 ? exact[0].add(BigInteger.ONE) : exact[0]);

            long micros = random.nextInt(10) == 0 ? time - 1 + random.nextInt(3) : upTo(Exact.MAX_MICROS);
            Amount left = rate.drain(amount, Math.max(0, micros));
            assertThat(units(rate, left))
                    .isEqualTo(used.subtract(big(Math.max(0, micros)).multiply(big(rate.unitsPerMicro())))
                            .max(BigInteger.ZERO));
            assertThat(left.part()).isBetween(0L, rate.unitsPerPermit() - 1);
        }
    }

    @Test
    void convert_betweenRates_roundsUpToTheNewUnit() {
        for (int i = 0; i < 100_000; i++) {
            Rate from = Rate.of(upTo(1_000_000_000), Duration.ofMillis(upTo(31_536_000_000L)));
            Rate to = Rate.of(upTo(1_000_000_000), Duration.ofMillis(upTo(31_536_000_000L)));
            Amount amount = new Amount(upTo(1000), random.nextLong(from.unitsPerPermit()));
            Amount converted = to.convert(amount, from);
            BigInteger exact = units(from, amount).multiply(big(to.unitsPerPermit()));
            BigInteger got = units(to, converted).multiply(big(from.unitsPerPermit()));
            assertThat(got).isGreaterThanOrEqualTo(exact);
            assertThat(got.subtract(big(from.unitsPerPermit()))).isLessThan(exact);
        }
    }
}
