package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import io.sluice.Permit;
import io.sluice.RateLimiter;
import io.sluice.spi.EnteredCharges;
import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests callers that wait for a permit, cancel, or hear of it late. */
class EnterIT {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final String prefix = TestRedis.newPrefix();
    private SlowReplies replies;
    private RedisStore store;
    private RateLimiter limiter;

    @BeforeEach
    void start() {
        replies = new SlowReplies(TestRedis.PROCESS.port());
        store = store(replies.uri(), LONG);
        limiter = store.limiter("reports", Limit.parse("concurrency 2 hold 1h"));
    }

    private RedisStore store(String uri, Duration deadline) {
        return RedisStore.builder().uri(uri).prefix(prefix).deadline(deadline).build();
    }

    @AfterEach
    void stop() throws IOException {
        replies.release();
        store.close();
        replies.close();
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    private void awaitRemaining(long remaining) {
        Eventually.within(
                LONG,
                () -> remaining + " remain: " + limiter.peek("key"),
                () -> limiter.peek("key").remaining() == remaining);
    }

    @Test
    void waiters_getPermitsInOrder_asSoonAsTheyAreGivenBack() throws Exception {
        Permit first = limiter.enter("key");
        Permit second = limiter.enter("key");
        List<CompletableFuture<Permit>> waiters = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            waiters.add(limiter.enterAsync("key").toCompletableFuture());
        }
        assertThat(limiter.tryEnter("key", Duration.ofMillis(20))).isEmpty();

        first.close();
        Permit third = get(waiters.get(0));
        assertThat(waiters.subList(1, 4)).noneMatch(CompletableFuture::isDone);
        second.close();
        get(waiters.get(1)).close();
        get(waiters.get(2)).close();
        third.close();
        get(waiters.get(3)).close();
        awaitRemaining(2);
    }

    @Test
    void waiter_getsAPermit_thatAnotherProcessGivesBack() throws Exception {
        try (RedisStore other = store(TestRedis.PROCESS.uri(), LONG)) {
            RateLimiter there = other.limiter("reports", Limit.parse("concurrency 2 hold 1h"));
            Permit one = there.enter("key");
            Permit two = there.enter("key");
            CompletableFuture<Optional<Permit>> waiter =
                    limiter.tryEnterAsync("key", LONG).toCompletableFuture();
            assertThat(limiter.tryEnter("key", Duration.ofMillis(100))).isEmpty();

            one.close();
            assertThat(get(waiter)).isPresent();
            two.close();
        }
    }

    @Test
    void waiter_thatIsCancelled_leavesItsPlaceToTheNext() throws Exception {
        Permit first = limiter.enter("key");
        Permit second = limiter.enter("key");
        CompletableFuture<Permit> leaves = limiter.enterAsync("key").toCompletableFuture();
        CompletableFuture<Permit> stays = limiter.enterAsync("key").toCompletableFuture();
        leaves.cancel(false);
        first.close();
        get(stays).close();
        second.close();
        awaitRemaining(2);
    }

    @Test
    void calls_cancelledWhileTheAnswerIsOnItsWay_holdNothing() throws Exception {
        RateLimiter other = store.limiter("other", Limit.parse("concurrency 1 hold 1h"));
        for (int i = 0; i < 10; i++) {
            replies.hold();
            CompletableFuture<Optional<Permit>> single =
                    limiter.tryEnterAsync("key").toCompletableFuture();
            CompletableFuture<Permit> waiting = limiter.enterAsync("key").toCompletableFuture();
            CompletableFuture<EnteredCharges> joint = store.enterAsync(
                            List.of(limiter.charge("key"), other.charge("key")))
                    .toCompletableFuture();
            single.cancel(false);
            waiting.cancel(false);
            joint.cancel(false);
            replies.release();
            awaitRemaining(2);
            assertThat(other.peek("key").remaining()).isEqualTo(1);
        }
    }

    @Test
    void answer_thatComesTooLate_holdsNothing() {
        try (RedisStore hasty = store(replies.uri(), Duration.ofMillis(50))) {
            RateLimiter quick = hasty.limiter("reports", Limit.parse("concurrency 2 hold 1h"));
            Eventually.within(LONG, "warm", () -> !quick.peek("key").degraded());
            replies.hold();
            Permit late = quick.tryEnter("key").orElseThrow();
            assertThat(late.decision().degraded()).isTrue();
            replies.release();
            awaitRemaining(2);
            late.close();
            awaitRemaining(2);
        }
    }

    @Test
    void manyCallers_ofOneKey_areBatched_andNeverHoldMore() throws Exception {
        RateLimiter wide = store.limiter("wide", Limit.parse("concurrency 300 hold 1h"));
        List<CompletableFuture<Optional<Permit>>> calls = new ArrayList<>();
        replies.hold();
        for (int i = 0; i < 500; i++) {
            calls.add(wide.tryEnterAsync("key").toCompletableFuture());
        }
        replies.release();
        List<Permit> held = new ArrayList<>();
        for (CompletableFuture<Optional<Permit>> call : calls) {
            get(call).ifPresent(held::add);
        }
        assertThat(held).hasSize(300);
        assertThat(held.stream().map(permit -> permit.decision().remaining()))
                .isSortedAccordingTo((x, y) -> Long.compare(y, x))
                .doesNotHaveDuplicates()
                .endsWith(0L);

        CompletableFuture.allOf(held.stream()
                        .map(permit -> permit.closeAsync().toCompletableFuture())
                        .toArray(CompletableFuture[]::new))
                .get(LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(wide.peek("key").remaining()).isEqualTo(300);
        assertThat(wide.peek("key").resetAfter()).isZero();
    }
}
