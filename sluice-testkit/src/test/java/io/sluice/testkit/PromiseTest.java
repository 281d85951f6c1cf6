package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a decision promises comes true, exactly then and not a microsecond earlier, after anything that can happen. */
class PromiseTest {
    private static final List<String> LIMITS = List.of(
            "7 per 3s burst 11",
            "2 per 5s burst 10 refill interval",
            "leaky-bucket 3/s capacity 7",
            "fixed-window 5/s",
            "fixed-window 5/s from-first",
            "sliding-log 5/s",
            "sliding-counter 7/s slots 4",
            "3/s burst 2 lockout 2s",
            "leaky-bucket 3/s capacity 7 lockout 1s",
            "sliding-counter 1000/min lockout 300ms");

    static LongStream seeds() {
        return LongStream.range(0, 100);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void decision_afterRandomChanges_comesTrue(long seed) {
        Random random = new Random(seed);
        Limit limit = anyLimit(random);
        ReferenceModel model = ReferenceModel.of(limit);
        List<ModelReservation> holds = new ArrayList<>();
        long now = 1_700_000_000_000_000L;
        for (int i = 0; i < 200; i++) {
            now += random.nextBoolean() ? 0 : (long) Math.pow(10, 7 * random.nextDouble());
            long permits = random.nextInt(9);
            switch (random.nextInt(12)) {
                case 0 -> model.refund("k", permits, now);
                case 1 -> model.penalize("k", permits, now);
                case 2, 3 -> holds.add(model.reserve("k", permits, 5_000_000, now));
                case 4 -> {
                    limit = random.nextInt(4) == 0 ? anyLimit(random) : limit;
                    model.update(now, limit);
                }
                case 5 -> model.tryAcquire("k", permits, now);
                case 6 -> {
                    if (!holds.isEmpty()) {
                        model.cancel(holds.remove(random.nextInt(holds.size())), now);
                    }
                }
                default -> model.check("k", permits, now);
            }
            requireTrue(model, permits, now, limit);
        }
    }

    private static void requireTrue(ReferenceModel model, long permits, long now, Limit limit) {
        Decision decision = model.peek("k", permits, now);
        if (!decision.allowed() && !decision.never()) {
            long retry = now + decision.retryAfterMicros();
            assertThat(model.peek("k", permits, retry).allowed()).isTrue();
            assertThat(model.peek("k", permits, retry - 1).allowed()).isFalse();
        }
        Decision fresh = ReferenceModel.of(limit).peek("k", 0, now);
        long reset = now + decision.resetAfterMicros();
        assertThat(model.peek("k", 0, reset)).isEqualTo(fresh);
        if (reset > now) {
            assertThat(model.peek("k", 0, reset - 1)).isNotEqualTo(fresh);
        }
    }

    private static Limit anyLimit(Random random) {
        return Limit.parse(LIMITS.get(random.nextInt(LIMITS.size())));
    }
}
