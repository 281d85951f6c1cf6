package io.sluice.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.cli.CommandRun;
import io.sluice.testkit.ReferenceModel;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random traces over the whole range of times, compared with the reference model. */
class SimulateReferenceTest {
    private static final long END = 1L << 53;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10/s burst 20",
                "999983/s burst 50",
                "2 per 5s burst 10 refill interval",
                "leaky-bucket 3/s capacity 7",
                "fixed-window 5 per 1s",
                "fixed-window 5 per 1h from-first",
                "sliding-log 5 per 1m lockout 5m",
                "sliding-counter 7 per 1s slots 4",
                "1 per 365d burst 3",
                "unlimited",
                "blocked"
            })
    void simulate_fromZeroToTheLastTime_isExact(String text) {
        ReferenceModel model = ReferenceModel.of(Limit.parse(text));
        Random random = new Random(text.hashCode());
        StringBuilder trace = new StringBuilder(CommandRun.HEADER);
        StringBuilder expected = new StringBuilder(CommandRun.DECISIONS);
        long time = 0;
        while (time < END) {
            String key = "k" + random.nextInt(3);
            long permits = random.nextInt(4);
            Decision decision = model.check(key, permits, time);
            trace.append(time)
                    .append(',')
                    .append(key)
                    .append(',')
                    .append(permits)
                    .append('\n');
            expected.append(line(time, key, permits, decision)).append('\n');
            time += step(random);
        }

        CommandRun ran = CommandRun.with(trace.toString(), "simulate", "--limit", text);

        assertThat(ran).isEqualTo(new CommandRun(0, expected.toString(), ""));
    }

    /** A random step in time, from 0 to a century, mostly short. */
    private static long step(Random random) {
        int bits = random.nextInt(8) == 0 ? 52 : 22;
        return random.nextLong() >>> (64 - random.nextInt(1, bits));
    }

    private static String line(long time, String key, long permits, Decision decision) {
        return String.join(
                ",",
                String.valueOf(time),
                key,
                String.valueOf(permits),
                String.valueOf(decision.allowed()),
                String.valueOf(decision.remaining() == Long.MAX_VALUE ? 0 : decision.remaining()),
                String.valueOf(decision.never() ? -1 : decision.retryAfterMicros()),
                String.valueOf(decision.delayMicros()),
                String.valueOf(decision.resetAfterMicros()));
    }
}
