package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Charge;
import io.sluice.Limit;
import io.sluice.MemoryStore;
import io.sluice.RateLimiter;
import io.sluice.Taken;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryStoreTakeTest {
    private final ManualTime time = new ManualTime();
    private final MemoryStore store = MemoryStore.builder().time(time).build();
    private final RateLimiter log = store.limiter("log", Limit.parse("sliding-log 2/h lockout 1m"));
    private final RateLimiter bucket = store.limiter("bucket", Limit.parse("10/h"));
    private final List<Charge> charges = List.of(log.charge("a", 2), bucket.charge("a", 3));

    @Test
    void cancel_givesBackAll_once() {
        Taken taken = store.take(charges);
        assertThat(taken.decisions().allowed()).isTrue();
        assertThat(bucket.peek("a").remaining()).isEqualTo(7);
        taken.cancel();
        taken.cancel();
        taken.keep();
        assertThat(log.peek("a").remaining()).isEqualTo(2);
        assertThat(bucket.peek("a").remaining()).isEqualTo(10);
        assertThat(store.size()).isZero();
    }

    @Test
    void take_whatIsHeldByOthers_locksNobodyOut() {
        Taken taken = store.take(charges);
        assertThat(store.decide(List.of(log.charge("a", 1))).allowed()).isFalse();
        taken.cancel();
        assertThat(store.decide(List.of(log.charge("a", 1))).allowed()).isTrue();
    }

    @Test
    void take_moreThanThereIsBesidesWhatIsHeld_locksOut() {
        Taken taken = store.take(List.of(log.charge("a", 1)));
        assertThat(store.decide(List.of(log.charge("a", 3))).allowed()).isFalse();
        taken.cancel();
        assertThat(log.peek("a").allowed()).as("locked by a denial of its own").isFalse();
    }

    @Test
    void keep_afterwards_locksOutAsUsual() {
        store.take(charges).keep();
        assertThat(store.decide(List.of(log.charge("a", 1))).allowed()).isFalse();
        assertThat(log.peek("a").retryAfterMicros()).isEqualTo(60_000_000);
        assertThat(bucket.peek("a").remaining()).isEqualTo(7);
    }

    @Test
    void take_denied_takesNothing() {
        Taken taken = store.take(List.of(log.charge("a", 3), bucket.charge("a", 3)));
        assertThat(taken.decisions().allowed()).isFalse();
        taken.cancel();
        assertThat(bucket.peek("a").remaining()).isEqualTo(10);
        assertThat(log.peek("a").allowed()).as("it denied by itself").isFalse();
    }
}
