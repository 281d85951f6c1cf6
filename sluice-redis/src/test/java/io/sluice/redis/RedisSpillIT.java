package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.Reservation;
import io.sluice.testkit.ManualTime;
import io.sluice.testkit.ModelReservation;
import io.sluice.testkit.ReferenceModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares logs and counters that need a spill key with the model. */
class RedisSpillIT {
    private record Pair(Reservation reservation, ModelReservation hold) {}

    @ParameterizedTest
    @CsvSource({
        "sliding-log 3000 per 1s, 900, 1",
        "sliding-log 3000 per 1s, 2500, 2",
        "sliding-log 400 per 1s, 1500, 3",
        "sliding-counter 100000 per 1s slots 1000, 1200, 4",
        "sliding-counter 3000 per 2s slots 400, 4000, 5"
    })
    void longLog_anyVerbs_isDecidedAsByTheModel(String text, int step, long seed) {
        Random random = new Random(seed);
        ManualTime time = ManualTime.forwardOnly(ManualTime.START_MICROS);
        Limit limit = Limit.parse(text);
        RateLimiter limiter = TestRedis.store(time).limiter("spill", limit, Limit.parse("1000000/s"));
        ReferenceModel model = ReferenceModel.of(limit, Limit.parse("1000000/s"));
        List<Pair> pairs = new ArrayList<>();
        Limit[] now = {limit, Limit.parse("1000000/s")};
        for (int i = 0; i < 3000; i++) {
            time.advanceMicros(random.nextInt(400) == 0 ? 700_000 : random.nextInt(step));
            long permits = 1L + random.nextInt(3);
            switch (random.nextInt(40)) {
                case 0 -> {
                    long back = random.nextInt(8) == 0 ? 300 : permits;
                    limiter.refund("key", back);
                    model.refund("key", back, time.micros());
                }
                case 1, 2 ->
                    pairs.add(new Pair(
                            limiter.reserve("key", permits, Duration.ZERO),
                            model.reserve("key", permits, 0, time.micros())));
                case 3 -> {
                    if (!pairs.isEmpty()) {
                        Pair pair = pairs.remove(random.nextInt(pairs.size()));
                        pair.reservation().cancel();
                        model.cancel(pair.hold(), time.micros());
                    }
                }
                case 4 -> {
                    if (random.nextInt(10) == 0) {
                        now = random.nextBoolean() ? new Limit[] {now[1], now[0]} : now;
                        limiter.update(now[0], now[1]);
                        model.update(time.micros(), now[0], now[1]);
                    }
                }
                default -> {
                    Decision expected = model.check("key", permits, time.micros());
                    assertThat(limiter.check("key", permits)).as("step %s", i).isEqualTo(expected);
                }
            }
            if (i % 5 == 0) {
                long asked = random.nextInt(3000);
                assertThat(limiter.peek("key", asked))
                        .as("step %s, peek(%s)", i, asked)
                        .isEqualTo(model.peek("key", asked, time.micros()));
            }
        }
    }
}
