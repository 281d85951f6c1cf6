package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which warm-ups are accepted: all that the design promises. What is refused names something that is accepted. */
class WarmUpBoundsTest {
    private static final Pattern AT_MOST = Pattern.compile("at most (\\d+)(ms|s|m|h|d) at this rate");
    private static final Pattern WOULD_DO = Pattern.compile("(\\d+) permits would do");

    private static final Random RANDOM = new Random(7);

    private static BigInteger power(int exponent) {
        return BigInteger.TWO.pow(exponent);
    }

    /** Whether the design promises to accept it: D*r <= 2^31 and 2*r^2*D <= 2^45, with r = N/gcd(N, P). */
    private static boolean isPromised(long permits, long period, long over) {
        BigInteger n = BigInteger.valueOf(permits);
        BigInteger r = n.divide(n.gcd(BigInteger.valueOf(period * 1000)));
        BigInteger full = r.multiply(BigInteger.valueOf(over * 1000));
        return full.compareTo(power(31)) <= 0 && full.multiply(r).shiftLeft(1).compareTo(power(45)) <= 0;
    }

    private static String text(long permits, long period, long over) {
        return "warm-up " + permits + " per " + period + "ms over " + over + "ms";
    }

    /** Small and large numbers alike. */
    private static long number(int bits) {
        return 1 + RANDOM.nextLong(1L << (1 + RANDOM.nextInt(bits)));
    }

    @Test
    void anyWarmUp_isAcceptedWherePromised_orNamesWhatWouldDo() {
        int promised = 0;
        int refused = 0;
        for (int i = 0; i < 50_000; i++) {
            long permits = RANDOM.nextInt(3) == 0 ? 1000 * number(20) : number(30);
            long period = RANDOM.nextBoolean() ? 1000 : number(30);
            long over = number(30);
            String text = text(permits, period, over);
            Throwable error = catchThrowable(() -> Limit.parse(text));
            if (isPromised(permits, period, over)) {
                assertThat(error).as(text).isNull();
                promised++;
            } else if (error != null) {
                assertThat(error).as(text).isInstanceOf(LimitSyntaxException.class);
                assertNamesWhatWouldDo(String.valueOf(error.getMessage()), text, permits, period, over);
                refused++;
            }
        }
        assertThat(promised).isGreaterThan(5000);
        assertThat(refused).isGreaterThan(5000);
    }

    private static void assertNamesWhatWouldDo(String message, String text, long permits, long period, long over) {
        Matcher shorter = AT_MOST.matcher(message);
        Matcher rounder = WOULD_DO.matcher(message);
        boolean atMost = shorter.find();
        boolean wouldDo = rounder.find();
        assertThat(atMost || wouldDo || message.contains("a smaller number of permits"))
                .as("%s: %s", text, message)
                .isTrue();
        if (atMost) {
            String duration = shorter.group(1) + shorter.group(2);
            Limit longest = Limit.parse("warm-up " + permits + " per " + period + "ms over " + duration);
            Duration more = ((WarmUp) longest).over().plusMillis(1);
            assertThat(catchThrowable(() -> Limit.warmUp(permits, Duration.ofMillis(period), more)))
                    .as("%s: %s is not the longest", text, duration)
                    .isNotNull();
        }
        if (wouldDo) {
            assertThat(Limit.parse(text(Long.parseLong(rounder.group(1)), period, over)))
                    .as("%s: %s", text, message)
                    .isNotNull();
        }
    }

    @ParameterizedTest
    @CsvSource({
        // D * r is the bound if r is 1 or 999, and 2 * r^2 * D if r is 4097.
        "1, 1, 2147483",
        "4097, 1000, 524",
        "999, 1000, 2149",
        "1, 1125899906842, 2147483"
    })
    void warmUp_atTheEdgeOfThePromise_isAccepted(long permits, long period, long over) {
        assertThat(isPromised(permits, period, over)).isTrue();
        assertThat(isPromised(permits, period, over + 1)).isFalse();
        assertThat(Limit.parse(text(permits, period, over))).isInstanceOf(WarmUp.class);
    }

    @ParameterizedTest
    @CsvSource({"warm-up 7 per 3s over 11s, 25", "warm-up 1 per 1h over 1s, 1", "warm-up 100/s over 10s, 1000"})
    void capacity_isTheLargestRequest_atLeastOne(String text, long most) {
        assertThat(Limit.parse(text).capacity()).isEqualTo(most);
    }
}
