package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a cancelled asynchronous call gives its permits back, whatever Redis decides meanwhile. */
class RedisCancelIT {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int CALLS = 200;
    private static final Limit WINDOW = Limit.parse("fixed-window 1000 per 1d from-first");
    private static final Limit BUCKET = Limit.parse("token-bucket 10 per 365d");

    private SlowReplies replies;
    private RedisStore store;
    private RateLimiter window;
    private RateLimiter bucket;

    /** The calls whose permits come back. */
    enum Verb {
        CHECK,
        TRY_ACQUIRE,
        ACQUIRE_UP_TO,
        RESERVE,
        DECIDE
    }

    private CompletableFuture<?> call(Verb verb) {
        return switch (verb) {
            case CHECK -> window.checkAsync("k", 1).toCompletableFuture();
            case TRY_ACQUIRE -> window.tryAcquireAsync("k", 1).toCompletableFuture();
            case ACQUIRE_UP_TO -> window.acquireUpToAsync("k", 1).toCompletableFuture();
            case RESERVE -> bucket.reserveAsync("k", 1).toCompletableFuture();
            case DECIDE ->
                store.decideAsync(List.of(window.charge("k", 1), bucket.charge("other", 0)))
                        .toCompletableFuture();
        };
    }

    @BeforeEach
    void start() {
        replies = new SlowReplies(TestRedis.PROCESS.port());
        store = RedisStore.builder()
                .uri(replies.uri())
                .prefix(TestRedis.newPrefix())
                .deadline(LONG)
                .listener(TestRedis.LOUD)
                .build();
        window = store.limiter("window", WINDOW);
        bucket = store.limiter("bucket", BUCKET);
    }

    @AfterEach
    void stop() throws IOException {
        replies.release();
        store.close();
        replies.close();
    }

    @ParameterizedTest
    @EnumSource
    void cancel_whileTheAnswerIsOnItsWay_givesPermitsBack(Verb verb) {
        // Each alone, so that Redis has decided every one of them by the time it is cancelled.
        for (int i = 0; i < CALLS / 10; i++) {
            replies.hold();
            CompletableFuture<?> call = call(verb);
            awaitCharged();
            assertThat(call.cancel(false)).isTrue();
            assertThat(call).isCancelled();
            replies.release();
            awaitNothingCharged();
        }
    }

    @ParameterizedTest
    @EnumSource
    void cancel_ofManyCalls_givesAllPermitsBack(Verb verb) {
        replies.hold();
        List<CompletableFuture<?>> calls = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            calls.add(call(verb));
        }
        calls.forEach(call -> assertThat(call.cancel(false)).isTrue());
        replies.release();
        awaitNothingCharged();
    }

    @ParameterizedTest
    @EnumSource
    void orTimeout_beforeTheAnswer_givesPermitsBack(Verb verb) {
        replies.hold();
        CompletableFuture<?> call = call(verb).orTimeout(1, TimeUnit.MILLISECONDS);
        assertThat(call).failsWithin(LONG).withThrowableThat().withCauseInstanceOf(TimeoutException.class);
        replies.release();
        awaitNothingCharged();
    }

    @Test
    void cancel_beforeTheCallIsSent_sendsNothing() {
        replies.hold();
        // The lane has one call on its way; the others wait for its answer.
        CompletableFuture<?> first = window.checkAsync("first", 1).toCompletableFuture();
        CompletableFuture<?> second = window.checkAsync("second", 1).toCompletableFuture();
        second.cancel(false);
        replies.release();
        assertThat(first).succeedsWithin(LONG);
        assertThat(window.peek("second").remaining()).isEqualTo(1000);
        assertThat(second.isCancelled()).isTrue();
    }

    @Test
    void cancel_afterTheAnswer_changesNothing() {
        CompletableFuture<?> call = window.checkAsync("k", 1).toCompletableFuture();
        assertThat(call).succeedsWithin(LONG);
        assertThat(call.cancel(false)).isFalse();
        assertThat(window.peek("k").remaining()).isEqualTo(999);
    }

    /** Redis has decided, as another client sees. */
    private void awaitCharged() {
        try (RedisStore other = beside()) {
            RateLimiter window = other.limiter("window", WINDOW);
            RateLimiter bucket = other.limiter("bucket", BUCKET);
            Eventually.within(
                    LONG,
                    "charged",
                    () -> window.peek("k").remaining() < 1000
                            || bucket.peek("k").remaining() < 10);
        }
    }

    private void awaitNothingCharged() {
        Eventually.within(
                LONG,
                () -> "given back: " + window.peek("k") + ", " + bucket.peek("k"),
                () -> window.peek("k").remaining() == 1000 && bucket.peek("k").remaining() == 10);
    }

    private RedisStore beside() {
        return RedisStore.builder()
                .uri(TestRedis.PROCESS.uri())
                .prefix(store.parts.names.prefix())
                .deadline(LONG)
                .build();
    }
}
