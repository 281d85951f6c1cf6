package io.sluice.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.RateLimitedException;
import io.sluice.spring.RateLimited;
import io.sluice.testkit.ManualTime;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.test.util.AopTestUtils;

class RateLimitedWaitTest {
    private final ManualTime time = new ManualTime();
    private final ApplicationContextRunner runner = MethodContexts.at(time)
            .withPropertyValues(MethodContexts.policy("partner", "host", "1/s"))
            .withPropertyValues(
                    "sluice.policies[1].name=smooth", "sluice.policies[1].limit=leaky-bucket 1/s capacity 2");

    static class Partner {
        @RateLimited(limit = "1/s", maxWait = "${partner.wait:2s}")
        public long byLimit() {
            return 1;
        }

        @RateLimited(policy = "partner", key = "'api'", maxWait = "2s")
        public long byPolicy() {
            return 2;
        }

        @RateLimited(limit = "leaky-bucket 1/s capacity 2")
        public long delayed() {
            return 3;
        }

        @RateLimited("smooth")
        public long delayedByPolicy() {
            return 5;
        }

        @RateLimited(limit = "1/s", maxWait = "2s", name = "declared")
        public long declared() throws InterruptedException {
            return 4;
        }
    }

    private static FutureTask<Long> start(Executor executor, Callable<Long> call) {
        FutureTask<Long> task = new FutureTask<>(call);
        executor.execute(task);
        return task;
    }

    private void withPartner(Consumer<Partner> test) {
        runner.withBean(Partner.class).run(context -> test.accept(context.getBean(Partner.class)));
    }

    private void assertWaits(Executor executor, Callable<Long> call) throws Exception {
        call.call();
        int before = time.scheduled();
        FutureTask<Long> waiting = start(executor, call);
        time.awaitScheduled(before + 1);
        assertThat(waiting.isDone()).isFalse();
        time.advance(Duration.ofSeconds(1));
        assertThat(waiting.get(10, TimeUnit.SECONDS)).isPositive();
    }

    private static Executor threads() {
        return task -> new Thread(task, "caller").start();
    }

    @Test
    void maxWait_ofLimit_waitsForPermits() {
        withPartner(partner -> unchecked(() -> assertWaits(threads(), partner::byLimit)));
    }

    @Test
    void maxWait_ofPolicy_waitsForPermits() {
        withPartner(partner -> unchecked(() -> assertWaits(threads(), partner::byPolicy)));
    }

    @Test
    void leakyBucket_withoutMaxWait_waitsForItsDelay() {
        withPartner(partner -> unchecked(() -> {
            assertWaits(threads(), partner::delayed);
            assertWaits(threads(), partner::delayedByPolicy);
        }));
    }

    @Test
    void virtualThread_waits() throws Exception {
        assumeTrue(Runtime.version().feature() >= 21);
        Executor virtual;
        try {
            virtual = (Executor)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (InvocationTargetException e) {
            throw new AssertionError(e);
        }
        withPartner(partner -> unchecked(() -> {
            assertWaits(virtual, partner::byLimit);
            assertWaits(virtual, partner::byPolicy);
            assertWaits(virtual, partner::delayed);
        }));
    }

    @Test
    void maxWait_tooShort_isDeniedAtOnce() {
        runner.withPropertyValues("partner.wait=500ms").withBean(Partner.class).run(context -> {
            Partner partner = context.getBean(Partner.class);
            partner.byLimit();
            assertThatThrownBy(partner::byLimit)
                    .isInstanceOf(RateLimitedException.class)
                    .hasMessageContaining("RateLimitedWaitTest.Partner.byLimit")
                    .hasMessageContaining("retry after 1s");
        });
    }

    @Test
    void interrupted_whileItWaits_givesThePermitsBack() {
        withPartner(partner -> unchecked(() -> {
            assertGivesBack(partner::byLimit, CancellationException.class, 2);
            assertGivesBack(partner::byPolicy, CancellationException.class, 2);
            assertGivesBack(partner::declared, InterruptedException.class, 2);
            assertGivesBack(partner::delayed, CancellationException.class, 2);
            assertGivesBack(partner::delayedByPolicy, CancellationException.class, 2);
        }));
    }

    /** One call takes the free permit, a second waits for the next and is interrupted, so that a third can have that one. */
    private void assertGivesBack(Callable<Long> call, Class<? extends Throwable> failure, int seconds)
            throws Exception {
        call.call();
        int before = time.scheduled();
        FutureTask<Long> waiting = new FutureTask<>(call);
        Thread thread = new Thread(waiting);
        thread.start();
        time.awaitScheduled(before + 1);
        thread.interrupt();
        thread.join(10_000);
        assertThatThrownBy(waiting::get).isInstanceOf(ExecutionException.class).hasCauseInstanceOf(failure);
        FutureTask<Long> third = start(threads(), call);
        time.awaitScheduled(before + 1);
        time.advance(Duration.ofSeconds(1));
        assertThat(third.get(10, TimeUnit.SECONDS)).isPositive();
        time.advance(Duration.ofSeconds(seconds));
    }

    static class Job {
        final CountDownLatch firstRuns = new CountDownLatch(1);
        final CountDownLatch firstMayEnd = new CountDownLatch(1);
        final CountDownLatch runs = new CountDownLatch(2);

        @Scheduled(fixedDelay = 1)
        @RateLimited(limit = "1/h", maxWait = "2h")
        public void run() throws InterruptedException {
            runs.countDown();
            firstRuns.countDown();
            firstMayEnd.await();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}

    @Test
    void scheduledJob_waitsForItsTurn() {
        runner.withUserConfiguration(Scheduling.class).withBean(Job.class).run(context -> {
            Job job = (Job) AopTestUtils.getTargetObject(context.getBean(Job.class));
            assertThat(job.firstRuns.await(10, TimeUnit.SECONDS)).isTrue();
            int before = time.scheduled();
            job.firstMayEnd.countDown();
            time.awaitScheduled(before + 1);
            assertThat(job.runs.getCount()).isEqualTo(1);
            time.advance(Duration.ofHours(1));
            assertThat(job.runs.await(10, TimeUnit.SECONDS)).isTrue();
        });
    }

    static class Later {
        @RateLimited(limit = "1/s", maxWait = "2s")
        public CompletableFuture<String> later() {
            return CompletableFuture.completedFuture("done");
        }
    }

    @Test
    void stage_doesNotBlock_andCancelGivesBack() {
        runner.withBean(Later.class).run(context -> {
            Later later = context.getBean(Later.class);
            assertThat(later.later()).isCompletedWithValue("done");
            // Often, because another thread must not be able to delay what cancel gives back.
            for (int i = 0; i < 200; i++) {
                CompletableFuture<String> second = later.later();
                assertThat(second).isNotDone();
                assertThat(second.cancel(true)).isTrue();
                CompletableFuture<String> third = later.later();
                assertThat(third).isNotDone();
                time.advance(Duration.ofSeconds(1));
                assertThat(third.get(10, TimeUnit.SECONDS)).isEqualTo("done");
            }
        });
    }

    private interface Body {
        void run() throws Exception;
    }

    private static void unchecked(Body body) {
        try {
            body.run();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
