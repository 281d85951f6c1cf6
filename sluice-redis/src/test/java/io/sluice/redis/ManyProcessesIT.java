package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.testkit.ReferenceModel;
import io.sluice.testkit.redis.RedisProcess;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/*
 * The decisions of all processes are replayed through the model, in the order and at the times of Redis. The model must give the
 * same result, to the permit: each allowed request is correct, and the remaining permits are the same. The speed of the machine
 * and the order of the processes do not matter.
 *
 * How much of a limit is used does depend on the machine: there must be enough requests. So that test comes last, when the
 * processes are warm. It asks for single permits (larger requests leave rests that cannot be used), and its bursts and windows
 * are longer than a process may have to wait for a processor.
 */
@TestMethodOrder(OrderAnnotation.class)
class ManyProcessesIT {
    private static final int MANY = 1000;
    private static final int MIXED_MILLIS = 800;
    private static final int LONG_MILLIS = 1600;
    private static final int SATURATED_MILLIS = 1250;

    /** Whole windows begin at its multiples. */
    private static final int BEAT_MILLIS = 500;

    /** As in {@code ring.lua}. */
    private static final int LONG_LOG = 128;

    @TempDir
    static Path directory;

    private static RedisProcess redis;
    private static Crowd crowd;

    @BeforeAll
    static void start() throws Exception {
        redis = RedisProcess.start();
        crowd = Crowd.start(redis.uri(), directory);
    }

    @AfterAll
    static void end() {
        try {
            if (crowd != null) {
                crowd.close();
            }
        } finally {
            redis.close();
        }
    }

    @ParameterizedTest
    @Order(1)
    @ValueSource(
            strings = {
                "token-bucket 500/s burst 50",
                "token-bucket 50 per 100ms burst 75 refill interval",
                "leaky-bucket 500/s capacity 50",
                "fixed-window 100 per 200ms",
                "fixed-window 100 per 200ms from-first",
                "sliding-log 100 per 200ms",
                "sliding-counter 100 per 200ms slots 10",
                "sliding-log 100 per 200ms lockout 20ms",
                "token-bucket 500/s burst 150 & fixed-window 100 per 200ms"
            })
    void oneKey_usedByManyProcesses_neverExceedsItsLimit(String limits) throws Exception {
        assertAllDue(rush(limits, 1, 3, MIXED_MILLIS));
    }

    @ParameterizedTest
    @Order(2)
    @ValueSource(
            strings = {
                "token-bucket 50/s burst 5",
                "token-bucket 5 per 100ms burst 8 refill interval",
                "leaky-bucket 50/s capacity 5",
                "fixed-window 10 per 200ms",
                "fixed-window 10 per 200ms from-first",
                "sliding-log 10 per 200ms",
                "sliding-counter 10 per 200ms slots 10",
                "sliding-log 10 per 200ms lockout 20ms",
                "token-bucket 50/s burst 15 & fixed-window 10 per 200ms"
            })
    void manyKeys_usedByManyProcesses_neverExceedTheirLimits(String limits) throws Exception {
        assertAllDue(rush(limits, MANY, 3, MIXED_MILLIS));
    }

    /** The log is so long that it needs a spill key. */
    @ParameterizedTest
    @Order(3)
    @CsvSource({"sliding-log 1000 per 1s, 1, 1", "sliding-log 400 per 1s, 1000, 3"})
    void longLog_usedByManyProcesses_neverExceedsItsLimit(String limit, int keys, int mostPermits) throws Exception {
        Run run = rush(limit, keys, mostPermits, LONG_MILLIS);
        assertThat(longestLog(run)).isGreaterThan(LONG_LOG);
        assertAllDue(run);
    }

    @ParameterizedTest
    @Order(4)
    @ValueSource(
            strings = {
                "token-bucket 100/s burst 100",
                "token-bucket 25 per 250ms burst 100 refill interval",
                "leaky-bucket 100/s capacity 100",
                "fixed-window 100 per 500ms",
                "fixed-window 100 per 500ms from-first",
                "sliding-log 100 per 500ms",
                "sliding-counter 100 per 500ms slots 10",
                "token-bucket 100/s burst 100 & fixed-window 150 per 500ms"
            })
    void oneKey_saturatedByManyProcesses_isUsedToNinetyNinePercent(String limits, TestReporter reporter)
            throws Exception {
        Run run = rush(limits, 1, 1, SATURATED_MILLIS);
        assertAllDue(run);

        // Up to the last time at which no permits remained. Later permits may not have been requested.
        List<Decided> admitted = run.outcome.decided();
        int last = admitted.size() - 1;
        while (last > 0 && admitted.get(last).remaining() > 0) {
            last--;
        }
        long most = due(
                run.rush.limits(), admitted.get(0).micros(), admitted.get(last).micros());
        long used = last + 1L;
        reporter.publishEntry(limits, used + " of " + most);
        assertThat(last).as("admissions until nothing was left").isPositive();
        assertThat(used).as("permits used of %s", most).isBetween((most * 99 + 99) / 100, most);
    }

    private record Run(Rush rush, Crowd.Outcome outcome) {}

    private static Run rush(String limits, int keys, int mostPermits, int millis) throws Exception {
        long soon = System.currentTimeMillis() + 50;
        long start = millis == SATURATED_MILLIS ? soon + BEAT_MILLIS - soon % BEAT_MILLIS : soon;
        String name = keys + " keys, " + limits;
        Rush rush = new Rush(name, Rush.limits(limits), keys, mostPermits, start, start + millis);
        return new Run(rush, crowd.rush(rush));
    }

    private static void assertAllDue(Run run) {
        assertThat(run.outcome.denied())
                .as("denials: what is not asked for proves nothing")
                .isPositive();
        ReferenceModel model = model(run.rush.limits());
        for (Decided one : run.outcome.decided()) {
            Decision due = model.check(Integer.toString(one.key()), one.permits(), one.micros());
            if (due.allowed() != one.allowed() || due.remaining() != one.remaining()) {
                throw new AssertionError(run.rush + ": " + one + " (expected: " + due + ")");
            }
        }
    }

    private static ReferenceModel model(List<Limit> limits) {
        return ReferenceModel.of(limits.get(0), limits.stream().skip(1).toArray(Limit[]::new));
    }

    /** The permits that a caller gets between two times if it always asks for one. */
    private static long due(List<Limit> limits, long firstMicros, long lastMicros) {
        ReferenceModel model = model(limits);
        long due = 0;
        for (long micros = firstMicros; micros <= lastMicros; ) {
            Decision decision = model.check("key", 1, micros);
            due += decision.allowed() ? 1 : 0;
            micros += decision.retryAfterMicros();
        }
        return due;
    }

    /** The number of entries in the log of the hottest key: the most times at which it was used within a second. */
    private static int longestLog(Run run) {
        List<Long> moments = run.outcome.decided().stream()
                .filter(one -> one.key() == 0)
                .map(Decided::micros)
                .distinct()
                .toList();
        int longest = 0;
        for (int first = 0, next = 0; next < moments.size(); next++) {
            while (moments.get(first) <= moments.get(next) - 1_000_000) {
                first++;
            }
            longest = Math.max(longest, next - first + 1);
        }
        return longest;
    }
}
