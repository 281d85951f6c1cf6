package io.sluice.redis.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.FixedWindow;
import io.sluice.LeakyBucket;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.Refill;
import io.sluice.SlidingLog;
import io.sluice.TokenBucket;
import io.sluice.memory.MemoryStore;
import io.sluice.redis.local.LocalKey.Owed;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/*
 * A limiter in memory stands for Redis. Processes call it, or are cut off from it. Answers come in time, too late or never, and
 * meanwhile the local share decides other requests.
 */
/** Tests in random traces that all processes together admit at most the limit plus the shares of all but one. */
class LocalBoundTest {
    private static final int TRACES = 300;
    private static final int STEPS = 400;
    private static final long DEADLINE_MICROS = 100_000;

    private final ManualTime time = new ManualTime();

    /**
     * A request on its way, or a charge.
     *
     * @param owed the permits that a charge takes; null for a request
     * @param decision the decision of Redis
     * @param micros when
     */
    private record Flight(@Nullable Owed owed, long permits, Decision decision, long micros) {}

    private record Admitted(long micros, long permits) {}

    private final class Node {
        final LocalKey key;
        final Deque<Flight> onTheirWay = new ArrayDeque<>();
        final Deque<Flight> late = new ArrayDeque<>();
        final Deque<Boolean> toldAllowed = new ArrayDeque<>();
        boolean away;

        Node(Limit limit, int processes) {
            MemoryStore memory = MemoryStore.builder().time(time).build();
            LimiterShares shares = new LimiterShares("limiter", memory, () -> List.of(limit), () -> processes);
            key = new LocalKey("key", 1, shares, time, DEADLINE_MICROS);
        }

        /** As LocalShares does it. */
        Decision local(long permits) {
            key.hold();
            try {
                return key.take(permits);
            } finally {
                key.release();
            }
        }

        /** Sends a request, and what is owed ahead of it. */
        void send(RateLimiter redis, long permits) {
            key.hold();
            try {
                Owed owed = key.owed();
                if (owed != null) {
                    redis.penalize("key", owed.amounts().get(0));
                    onTheirWay.add(new Flight(owed, 0, redis.peek("key"), time.micros()));
                }
                key.sent(permits);
            } finally {
                key.release();
            }
            onTheirWay.add(new Flight(null, permits, redis.check("key", permits), time.micros()));
        }

        /** The answer is there in time. */
        boolean answered(RateLimiter redis, Flight flight) {
            if (flight.owed() != null) {
                give(redis, key.charged(flight.owed(), flight.decision()));
                return false;
            }
            key.decided(flight.decision(), 0);
            key.settled(flight.permits());
            return flight.decision().allowed();
        }

        /** The deadline is over: the share decides. */
        boolean unanswered(Flight flight) {
            key.settled(flight.permits());
            boolean allowed = flight.owed() == null && local(flight.permits()).allowed();
            late.add(flight);
            toldAllowed.add(allowed);
            return allowed;
        }

        /** The answer comes, too late. */
        void answeredLate(RateLimiter redis) {
            Flight flight = late.remove();
            boolean allowed = toldAllowed.remove();
            if (flight.owed() != null) {
                give(redis, key.charged(flight.owed(), flight.decision()));
                return;
            }
            key.decided(flight.decision(), 0);
            long passed = time.micros() - flight.micros();
            // Permits of a caller that was denied are given back by a refund, which this test does not cover.
            if (flight.decision().allowed()
                    && allowed
                    && passed < flight.decision().resetAfterMicros()) {
                give(redis, key.chargedAfterAll(flight.permits()));
            }
        }

        private void give(RateLimiter redis, long permits) {
            if (permits > 0) {
                redis.refund("key", permits);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "token-bucket 18 per 10s, 1",
        "token-bucket 18 per 10s, 3",
        "token-bucket 1/s burst 20, 4",
        "token-bucket 2 per 5s burst 17 refill interval, 3",
        "leaky-bucket 18 per 10s, 1",
        "leaky-bucket 18 per 10s capacity 17, 3",
        "fixed-window 18 per 10s, 1",
        "fixed-window 17 per 10s, 3",
        "fixed-window 18 per 10s from-first, 4",
        "sliding-log 18 per 10s, 1",
        "sliding-log 17 per 10s, 3",
        "sliding-log 2 per 10s, 3"
    })
    void admitted_inAnyPeriod_isAtMostTheLimitPlusTheSharesOfTheOthers(String text, int count) {
        Limit limit = Limit.parse(text);
        for (int seed = 0; seed < TRACES; seed++) {
            assertBound(limit, count, trace(limit, count, new Random(seed)), seed);
        }
    }

    private List<Admitted> trace(Limit limit, int count, Random random) {
        RateLimiter redis = MemoryStore.builder().time(time).build().limiter("redis", limit);
        List<Node> processes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            processes.add(new Node(limit, count));
        }
        List<Admitted> admitted = new ArrayList<>();
        int busy = random.nextInt(1, 2000);
        for (int step = 0; step < STEPS; step++) {
            Node process = processes.get(random.nextInt(count));
            int kind = random.nextInt(12);
            if (kind == 0) {
                process.away = !process.away;
            } else if (kind == 1) {
                advance(random.nextInt(1000 * busy), processes, admitted);
            } else if (kind == 2 && !process.late.isEmpty() && !process.away) {
                process.answeredLate(redis);
            } else if (kind <= 5 && !process.onTheirWay.isEmpty()) {
                Flight flight = process.onTheirWay.remove();
                // Answers come in the order of the requests.
                boolean inTime = process.late.isEmpty() && random.nextInt(4) > 0;
                if (inTime ? process.answered(redis, flight) : process.unanswered(flight)) {
                    admitted.add(admitted(flight));
                }
            } else {
                long permits = random.nextInt(1, 4);
                if (!process.away && process.late.isEmpty()) {
                    process.send(redis, permits);
                } else if (process.local(permits).allowed()) {
                    admitted.add(new Admitted(time.micros(), permits));
                }
            }
        }
        admitted.sort(Comparator.comparingLong(Admitted::micros));
        return admitted;
    }

    /** Permits count from the time at which Redis has charged them, though the caller may get the answer a deadline later. */
    private Admitted admitted(Flight flight) {
        return new Admitted(flight.decision().allowed() ? flight.micros() : time.micros(), flight.permits());
    }

    /** Advances the time. Deadlines of requests on their way may pass. */
    private void advance(long micros, List<Node> processes, List<Admitted> admitted) {
        long soon = Math.min(micros, DEADLINE_MICROS / 2);
        time.advanceMicros(soon);
        for (Node process : processes) {
            while (!process.onTheirWay.isEmpty()
                    && process.onTheirWay.element().micros() < time.micros() - DEADLINE_MICROS / 2) {
                Flight flight = process.onTheirWay.remove();
                if (process.unanswered(flight)) {
                    admitted.add(admitted(flight));
                }
            }
        }
        if (micros > soon) {
            advance(micros - soon, processes, admitted);
        }
    }

    private void assertBound(Limit limit, int processes, List<Admitted> admitted, int seed) {
        Limit share = LocalShare.of(limit, processes);
        for (int from = 0; from < admitted.size(); from++) {
            long sum = 0;
            for (int to = from; to < admitted.size(); to++) {
                sum += admitted.get(to).permits();
                long begin = admitted.get(from).micros();
                long micros = admitted.get(to).micros() - begin;
                if (micros > 30_000_000) {
                    break;
                }
                long bound = most(limit, begin, micros) + (processes - 1) * most(share, begin, micros);
                assertThat(sum)
                        .as("seed %s, %s on %s processes, in %s us", seed, limit, processes, micros)
                        .isLessThanOrEqualTo(bound);
            }
        }
    }

    /** The most that a limit admits in a time, with both its ends. */
    private static long most(Limit limit, long begin, long micros) {
        if (limit instanceof TokenBucket bucket) {
            return bucket.burst()
                    + drained(bucket.permits(), bucket.period(), micros, bucket.refill() == Refill.GREEDY);
        } else if (limit instanceof LeakyBucket bucket) {
            return bucket.capacity() + drained(bucket.permits(), bucket.period(), micros, true);
        } else if (limit instanceof FixedWindow window && window.fromFirst()) {
            // One that was there, and those that may open.
            return window.permits() * (2 + micros / micros(window.window()));
        } else if (limit instanceof FixedWindow window) {
            long length = micros(window.window());
            return window.permits() * ((begin + micros) / length - begin / length + 1);
        }
        SlidingLog log = (SlidingLog) limit;
        return log.permits() * (1 + micros / micros(log.window()));
    }

    private static long drained(long permits, Duration period, long micros, boolean greedy) {
        return greedy ? -Math.floorDiv(-permits * micros, micros(period)) : permits * (micros / micros(period) + 1);
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1000;
    }
}
