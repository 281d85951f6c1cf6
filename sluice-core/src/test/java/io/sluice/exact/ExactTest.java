package io.sluice.exact;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExactTest {
    private static final long SEED = 42;
    private static final int ROUNDS = 200_000;

    private final Random random = new Random(SEED);

    /** Up to 2^50, small and large numbers alike. */
    private long number() {
        return Math.max(1, random.nextLong() >>> (14 + random.nextInt(50)));
    }

    @Test
    void mulDivSaturated_ofAnyNumbers_isExact() {
        for (int i = 0; i < ROUNDS; i++) {
            long x = random.nextBoolean() ? Exact.MAX_MICROS : number();
            long y = number();
            long z = random.nextInt(10) == 0 ? y + 1 : number();
            BigInteger exact =
                    BigInteger.valueOf(x).multiply(BigInteger.valueOf(y)).divide(BigInteger.valueOf(z));
            assertThat(Exact.mulDivSaturated(x, y, z))
                    .as("%d * %d / %d", x, y, z)
                    .isEqualTo(exact.min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact());
        }
    }

    @Test
    void gcd_ofAnyNumbers_isThatOfBigIntegers() {
        for (int i = 0; i < ROUNDS; i++) {
            long common = Math.max(1, number() >>> 25);
            long x = common * Math.max(1, number() >>> 25);
            long y = common * Math.max(1, number() >>> 25);
            assertThat(Exact.gcd(x, y))
                    .as("%d and %d", x, y)
                    .isEqualTo(BigInteger.valueOf(x).gcd(BigInteger.valueOf(y)).longValueExact());
        }
    }
}
