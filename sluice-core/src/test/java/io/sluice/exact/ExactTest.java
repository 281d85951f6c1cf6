package io.sluice.exact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    void mulDivAndMulMod_ofAnyNumbers_areExact() {
        int large = 0;
        for (int i = 0; i < ROUNDS; i++) {
            long x = number() << random.nextInt(4);
            long y = number() << random.nextInt(4);
            long z = switch (random.nextInt(4)) {
                case 0 -> x + 1;
                case 1 -> Math.max(1, y - 1);
                case 2 -> random.nextLong(1L << 61, 1L << 62);
                default -> number();
            };
            BigInteger product = BigInteger.valueOf(x).multiply(BigInteger.valueOf(y));
            BigInteger[] exact = product.divideAndRemainder(BigInteger.valueOf(z));
            String what = x + " * " + y + " / " + z;
            assertThat(Exact.mulMod(x, y, z)).as(what).isEqualTo(exact[1].longValueExact());
            if (exact[0].bitLength() < 63) {
                assertThat(Exact.mulDiv(x, y, z)).as(what).isEqualTo(exact[0].longValueExact());
                assertThat(Exact.mulDivUp(x, y, z)).as(what).isEqualTo(exact[0].longValueExact() + exact[1].signum());
                large += product.bitLength() > 63 ? 1 : 0;
            }
        }
        assertThat(large).as("products that do not fit a long").isGreaterThan(ROUNDS / 20);
    }

    @Test
    void mulDiv_thatDoesNotFit_isRefused() {
        assertThatThrownBy(() -> Exact.mulDiv(1L << 52, 1L << 52, 2)).isInstanceOf(ArithmeticException.class);
        assertThatThrownBy(() -> Exact.mulDiv(Long.MAX_VALUE, 3, 2)).isInstanceOf(ArithmeticException.class);
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
