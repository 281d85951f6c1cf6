package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ManualTimeTest {
    private final ManualTime time = ManualTime.at(1000);
    private final List<String> log = new ArrayList<>();

    @Test
    void micros_unlessMoved_standsStill() {
        assertThat(time.micros()).isEqualTo(1000);
        assertThat(time.wallMicros()).isEqualTo(1000);
        assertThat(new ManualTime().micros())
                .isEqualTo(ManualTime.START_MICROS)
                .isEqualTo(ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse("2026-01-01T00:00:00Z")));
    }

    @Test
    void advance_duration_movesByIt() {
        time.advance(Duration.ofMillis(2));
        time.advanceMicros(5);

        assertThat(time.micros()).isEqualTo(3005);
    }

    @Test
    void advance_whatIsNoTime_throws() {
        assertThatThrownBy(() -> time.advanceMicros(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> time.advance(Duration.ofNanos(1500))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> time.advance(ChronoUnit.FOREVER.getDuration()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(time.micros()).isEqualTo(1000);
    }

    @Test
    void set_back_isAllowedUnlessForwardOnly() {
        time.set(10);
        assertThat(time.micros()).isEqualTo(10);
        assertThat(time.isMonotonic()).isFalse();

        ManualTime forward = ManualTime.forwardOnly(1000);
        assertThat(forward.isMonotonic()).isTrue();
        forward.set(1000);
        assertThatThrownBy(() -> forward.set(999))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("micros: 999 (expected: at least 1000, forward only)");
        assertThat(forward.micros()).isEqualTo(1000);
    }

    @Test
    void schedule_movedPast_runsInOrderEachAtItsTime() {
        schedule("third", 30);
        schedule("first", 10);
        schedule("second", 20);
        schedule("second too", 20);
        schedule("later", 41);
        time.advanceMicros(40);

        assertThat(log).containsExactly("first@1010", "second@1020", "second too@1020", "third@1030");
        assertThat(time.micros()).isEqualTo(1040);
        assertThat(time.scheduled()).isEqualTo(1);

        time.set(1041);
        assertThat(log).last().isEqualTo("later@1041");
    }

    @Test
    void schedule_byATask_runsTooIfDue() {
        time.schedule(10, () -> {
            schedule("due", 5);
            schedule("not due", 11);
        });
        schedule("between", 12);
        time.advanceMicros(20);

        assertThat(log).containsExactly("between@1012", "due@1015");
        assertThat(time.scheduled()).isEqualTo(1);
    }

    @Test
    void schedule_withoutDelay_runsAtTheNextMove() {
        schedule("now", 0);
        schedule("before", -5);
        assertThat(log).isEmpty();

        time.advance(Duration.ZERO);
        assertThat(log).containsExactly("now@1000", "before@1000");
    }

    @Test
    void schedule_movedBack_keepsItsMoment() {
        schedule("task", 10);
        time.set(500);
        time.set(1009);
        assertThat(log).isEmpty();

        time.set(1010);
        assertThat(log).containsExactly("task@1010");
    }

    @Test
    void schedule_forEver_isKept() {
        schedule("never", Long.MAX_VALUE);
        time.advance(Duration.ofDays(36_500));

        assertThat(time.scheduled()).isEqualTo(1);
    }

    @Test
    void cancel_beforeItRuns_removesIt() {
        Runnable cancel = schedule("cancelled", 10);
        schedule("kept", 10);
        cancel.run();
        cancel.run();
        assertThat(time.scheduled()).isEqualTo(1);

        time.advanceMicros(10);
        assertThat(log).containsExactly("kept@1010");
    }

    @Test
    void cancel_byAnEarlierTask_removesIt() {
        Runnable cancel = schedule("cancelled", 20);
        time.schedule(10, cancel);
        time.advanceMicros(30);

        assertThat(log).isEmpty();
    }

    @Test
    void advance_byATask_movesOnFromThere() {
        time.schedule(10, () -> time.advanceMicros(15));
        schedule("task", 20);
        schedule("late", 26);
        time.advanceMicros(20);

        assertThat(log).containsExactly("task@1020");
        assertThat(time.micros()).isEqualTo(1025);
    }

    @Test
    void advance_taskThrows_stopsThere() {
        time.schedule(10, () -> {
            throw new IllegalStateException("task");
        });
        schedule("next", 20);
        assertThatThrownBy(() -> time.advanceMicros(30)).hasMessage("task");
        assertThat(time.micros()).isEqualTo(1010);

        time.advanceMicros(20);
        assertThat(log).containsExactly("next@1020");
    }

    @Test
    void advance_whileATaskRuns_otherThreadsCanReadAndSchedule() {
        time.schedule(
                10,
                () -> CompletableFuture.runAsync(() -> {
                            assertThat(time.micros()).isEqualTo(1010);
                            schedule("task", 5).run();
                            schedule("task", 5);
                        })
                        .orTimeout(10, TimeUnit.SECONDS)
                        .join());
        time.advanceMicros(20);

        assertThat(log).containsExactly("task@1015");
    }

    @Test
    void advance_byManyThreads_addsUpAndRunsEachOnce() throws InterruptedException {
        for (int i = 1; i <= 4000; i++) {
            schedule("task", i);
        }
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread thread = new Thread(() -> {
                try {
                    start.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                for (int j = 0; j < 1000; j++) {
                    time.advanceMicros(1);
                }
            });
            thread.start();
            threads.add(thread);
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(time.micros()).isEqualTo(5000);
        assertThat(log).hasSize(4000).doesNotHaveDuplicates().last().isEqualTo("task@5000");
    }

    @Test
    void awaitScheduled_fromAnotherThread_returnsWhenThere() throws InterruptedException {
        time.awaitScheduled(0);
        Thread waiter = new Thread(() -> {
            schedule("one", 1);
            schedule("two", 2);
        });
        waiter.start();
        time.awaitScheduled(2);
        assertThat(time.scheduled()).isEqualTo(2);
        waiter.join();
    }

    private Runnable schedule(String name, long delay) {
        return time.schedule(delay, () -> log.add(name + "@" + time.micros()));
    }
}
