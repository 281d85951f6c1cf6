package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Gate;
import io.sluice.Limit;
import io.sluice.PacedExecutor;
import io.sluice.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PacedExecutorTest {
    private final ManualTime time = ManualTime.forwardOnly(ManualTime.START_MICROS);
    private final List<Integer> started = Collections.synchronizedList(new ArrayList<>());
    private final Semaphore ran = new Semaphore(0);

    private Gate gate(String limit) {
        return MemoryStore.builder()
                .time(time)
                .build()
                .limiter("limiter", Limit.parse(limit))
                .forKey("key");
    }

    private Runnable task(int number) {
        return () -> {
            started.add(number);
            ran.release();
        };
    }

    @Test
    void execute_leakyBucket_startsTasksEvenlyAndInOrder() throws InterruptedException {
        PacedExecutor executor = PacedExecutor.of(gate("leaky-bucket 10/s"), 100);
        for (int i = 0; i < 5; i++) {
            executor.execute(task(i));
        }
        ran.acquire();
        for (int i = 1; i < 5; i++) {
            time.awaitScheduled(2); // the next permit, and the store's own sweep
            time.advance(Duration.ofMillis(100).minusNanos(1000));
            assertThat(started).as("a microsecond early").hasSize(i);
            time.advanceMicros(1);
            ran.acquire();
        }
        assertThat(started).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void execute_fullQueue_rejects() {
        PacedExecutor executor = PacedExecutor.of(gate("1/d"), 2, Runnable::run);
        for (int i = 0; i < 3; i++) {
            executor.execute(task(i));
        }
        assertThat(executor.size()).isEqualTo(2);
        assertThatThrownBy(() -> executor.execute(task(3)))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("queue full with 2 tasks");
        assertThat(started).containsExactly(0);
    }

    @Test
    void drain_tasksLeft_runsThemAllAtTheRate() throws InterruptedException {
        PacedExecutor executor = PacedExecutor.of(gate("1/s"), 10, Runnable::run);
        for (int i = 0; i < 4; i++) {
            executor.execute(task(i));
        }
        CompletableFuture<Void> drained = executor.drain().toCompletableFuture();
        assertThatThrownBy(() -> executor.execute(task(9))).isInstanceOf(RejectedExecutionException.class);
        for (int i = 1; i < 4; i++) {
            assertThat(drained).isNotDone();
            ran.acquire();
            time.awaitScheduled(2);
            time.advance(Duration.ofSeconds(1));
        }
        drained.join();
        assertThat(started).containsExactly(0, 1, 2, 3);
    }

    @Test
    void discard_tasksLeft_givesThemBackAndTheirPermitToo() {
        Gate gate = gate("1/s");
        PacedExecutor executor = PacedExecutor.of(gate, 10, Runnable::run);
        List<Runnable> tasks = List.of(task(0), task(1), task(2));
        tasks.forEach(executor::execute);
        assertThat(executor.discard()).containsExactlyElementsOf(tasks.subList(1, 3));
        executor.drain().toCompletableFuture().join();
        time.advance(Duration.ofSeconds(1));
        assertThat(gate.tryAcquire()).as("the permit under way was given back").isTrue();
        assertThat(started).containsExactly(0);
    }

    @Test
    void execute_manyTasksWithPermitsAtOnce_doesNotOverflowTheStack() {
        PacedExecutor executor = PacedExecutor.of(gate("1000000/s"), 200_000, Runnable::run);
        executor.execute(() -> {
            for (int i = 0; i < 100_000; i++) {
                executor.execute(task(i));
            }
        });
        executor.close();
        assertThat(started).hasSize(100_000);
    }

    @Test
    void execute_workerRejectsOrTaskThrows_nothingIsLost() {
        AtomicInteger rejected = new AtomicInteger();
        PacedExecutor executor = PacedExecutor.of(gate("1000/s"), 100, task -> {
            rejected.incrementAndGet();
            throw new RejectedExecutionException("worker is full");
        });
        for (int i = 0; i < 10; i++) {
            executor.execute(task(i));
        }
        executor.close();
        assertThat(started).hasSize(10);
        assertThat(rejected).hasValue(10);
    }

    @Test
    void execute_tasksThatThrow_doNotStopThePacing() throws InterruptedException {
        PacedExecutor executor = PacedExecutor.of(gate("1/s"), 10, Runnable::run);
        for (int i = 0; i < 4; i++) {
            executor.execute(() -> {
                ran.release();
                throw new IllegalStateException("a task's own failure, reported to the thread's handler");
            });
        }
        CompletableFuture<Void> drained = executor.drain().toCompletableFuture();
        for (int i = 1; i < 4; i++) {
            ran.acquire();
            time.awaitScheduled(2);
            time.advance(Duration.ofSeconds(1));
        }
        drained.join();
    }

    @Test
    void execute_workerFails_taskRunsAllTheSame() {
        PacedExecutor executor = PacedExecutor.of(gate("1000/s"), 10, task -> {
            throw new IllegalStateException("a broken worker");
        });
        executor.execute(task(0));
        executor.close();
        assertThat(started).containsExactly(0);
    }

    @Test
    void limiterClosed_tasksLeft_canBeDiscarded() {
        Gate gate = gate("1/d");
        PacedExecutor executor = PacedExecutor.of(gate, 10, Runnable::run);
        executor.execute(task(0));
        executor.execute(task(1));
        gate.limiter().close();
        assertThatThrownBy(executor::close).isInstanceOf(IllegalStateException.class);
        assertThat(executor.discard()).hasSize(1);
    }

    @Test
    void execute_manyThreadsWhileDiscarding_everyTaskRunsOrComesBack() throws Exception {
        for (int round = 0; round < 50; round++) {
            PacedExecutor executor = PacedExecutor.of(gate("100000/s"), 1000);
            AtomicInteger run = new AtomicInteger();
            AtomicInteger accepted = new AtomicInteger();
            Thread[] threads = new Thread[4];
            for (int i = 0; i < threads.length; i++) {
                threads[i] = new Thread(() -> {
                    try {
                        for (int n = 0; n < 100; n++) {
                            executor.execute(run::incrementAndGet);
                            accepted.incrementAndGet();
                        }
                    } catch (RejectedExecutionException closed) {
                        // Refused tasks are the caller's.
                    }
                });
                threads[i].start();
            }
            int discarded = executor.discard().size();
            for (Thread thread : threads) {
                thread.join();
            }
            executor.drain().toCompletableFuture().get();
            assertThat(run.get() + discarded).isEqualTo(accepted.get());
        }
    }
}
