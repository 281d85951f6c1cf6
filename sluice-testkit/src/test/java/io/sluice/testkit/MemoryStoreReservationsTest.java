package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Charge;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.ReservationEndedException;
import io.sluice.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Clients decide how many reservations there are, and a memory store keeps only so many. */
class MemoryStoreReservationsTest {
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofHours(1);

    private final ManualTime time = new ManualTime();
    private final MemoryStore store =
            MemoryStore.builder().time(time).maxKeys(4000).build();
    private final List<RateLimiter> limiters = IntStream.range(0, 9)
            .mapToObj(i -> store.limiter("limiter-" + i, Limit.parse("fixed-window 1000000 per 1d from-first")))
            .toList();

    private String reserve(int charges, Duration ttl) {
        List<Charge> all = limiters.subList(0, charges).stream()
                .map(limiter -> limiter.charge("key", 10))
                .toList();
        return Objects.requireNonNull(
                store.reserveAsync(all, ttl).toCompletableFuture().join().id());
    }

    private void settle(String id) {
        store.settleAsync(id, 1).toCompletableFuture().join();
    }

    private void assertEnded(String id) {
        assertThatThrownBy(() -> settle(id))
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(ReservationEndedException.class);
    }

    @Test
    void moreThanTheMaximum_theOldestIsDropped_evenIfItEndsLast() {
        String first = reserve(1, LONG);
        String second = reserve(1, SHORT);
        List<String> others = new ArrayList<>();
        for (int i = 2; i <= 1000; i++) {
            others.add(reserve(1, i % 2 == 0 ? LONG : SHORT));
        }
        assertEnded(first);
        settle(second);
        others.forEach(this::settle);
        assertThat(limiters.get(0).peek("key").remaining()).isEqualTo(1_000_000 - 10 - 1000);
    }

    @Test
    void chargesCountToo() {
        String first = reserve(9, LONG);
        List<String> others = new ArrayList<>();
        for (int i = 1; i < 200; i++) {
            others.add(reserve(9, LONG));
        }
        String last = reserve(9, SHORT);
        assertEnded(first);
        others.forEach(this::settle);
        settle(last);
    }

    @Test
    void whatIsSettledOrOver_makesRoom() {
        String first = reserve(1, LONG);
        for (int i = 0; i < 5000; i++) {
            settle(reserve(9, SHORT));
        }
        for (int i = 0; i < 900; i++) {
            reserve(1, SHORT);
        }
        time.advance(SHORT);
        for (int i = 0; i < 900; i++) {
            reserve(1, SHORT);
        }
        settle(first);
    }
}
