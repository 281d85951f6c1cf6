package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Charge;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import io.sluice.memory.MemoryStore;
import io.sluice.spi.TentativeDecision;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class MemoryStoreTentativeTest {
    private final ManualTime time = new ManualTime();
    private final MemoryStore store = MemoryStore.builder().time(time).build();
    private final RateLimiter log = store.limiter("log", Limit.parse("sliding-log 2/h lockout 1m"));
    private final RateLimiter bucket = store.limiter("bucket", Limit.parse("10/h"));
    private final List<Charge> charges = List.of(log.charge("a", 2), bucket.charge("a", 3));

    @Test
    void cancel_givesBackAll_once() {
        TentativeDecision taken = store.decideTentatively(charges);
        assertThat(taken.decisions().allowed()).isTrue();
        assertThat(bucket.peek("a").remaining()).isEqualTo(7);
        taken.cancel();
        taken.cancel();
        taken.commit();
        assertThat(log.peek("a").remaining()).isEqualTo(2);
        assertThat(bucket.peek("a").remaining()).isEqualTo(10);
        assertThat(store.size()).isZero();
    }

    @Test
    void take_whatIsHeldByOthers_locksNobodyOut() {
        TentativeDecision taken = store.decideTentatively(charges);
        assertThat(store.decide(List.of(log.charge("a", 1))).allowed()).isFalse();
        taken.cancel();
        assertThat(store.decide(List.of(log.charge("a", 1))).allowed()).isTrue();
    }

    @Test
    void take_moreThanThereIsBesidesWhatIsHeld_locksOut() {
        TentativeDecision taken = store.decideTentatively(List.of(log.charge("a", 1)));
        assertThat(store.decide(List.of(log.charge("a", 3))).allowed()).isFalse();
        taken.cancel();
        assertThat(log.peek("a").allowed()).as("locked by a denial of its own").isFalse();
    }

    @Test
    void commit_afterwards_locksOutAsUsual() {
        store.decideTentatively(charges).commit();
        assertThat(store.decide(List.of(log.charge("a", 1))).allowed()).isFalse();
        assertThat(log.peek("a").retryAfterMicros()).isEqualTo(60_000_000);
        assertThat(bucket.peek("a").remaining()).isEqualTo(7);
    }

    /** Takes and gives back all the time: whoever is denied was so only because of what others held. */
    @Test
    void cancel_byManyAtOnce_locksNobodyOut() throws Exception {
        MemoryStore real = MemoryStore.create();
        RateLimiter one = real.limiter("one", Limit.parse("sliding-log 1 per 1m lockout 5m"));
        List<Callable<Long>> crowd = Collections.nCopies(3, () -> {
            long lockedOut = 0;
            for (int i = 0; i < 20_000; i++) {
                TentativeDecision taken = real.decideTentatively(List.of(one.charge("a", 1)));
                long retry = taken.decisions().each().get(0).retryAfterMicros();
                lockedOut += retry > 60_000_000 ? 1 : 0;
                taken.cancel();
            }
            return lockedOut;
        });
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            for (Future<Long> lockedOut : threads.invokeAll(crowd)) {
                assertThat(lockedOut.get()).isZero();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(one.peek("a").allowed()).isTrue();
    }

    @Test
    void decide_whenTheClockThrows_leavesNothingHeld() {
        AtomicBoolean broken = new AtomicBoolean();
        MemoryStore store = MemoryStore.builder()
                .time(new TimeSource() {
                    @Override
                    public long micros() {
                        if (broken.get()) {
                            throw new IllegalStateException("no time");
                        }
                        return time.micros();
                    }

                    @Override
                    public boolean isMonotonic() {
                        return true;
                    }

                    @Override
                    public Runnable schedule(long delayMicros, Runnable task) {
                        return time.schedule(delayMicros, task);
                    }
                })
                .build();
        RateLimiter one = store.limiter("one", Limit.parse("10/h"));
        RateLimiter two = store.limiter("two", Limit.parse("10/h"));
        List<Charge> both = List.of(one.charge("a", 1), two.charge("a", 1));
        store.decide(both);
        broken.set(true);
        assertThatThrownBy(() -> store.decide(both)).hasMessage("no time");
        broken.set(false);
        assertThat(store.decide(both).allowed()).isTrue();
    }

    @Test
    void take_denied_takesNothing() {
        TentativeDecision taken = store.decideTentatively(List.of(log.charge("a", 3), bucket.charge("a", 3)));
        assertThat(taken.decisions().allowed()).isFalse();
        taken.cancel();
        assertThat(bucket.peek("a").remaining()).isEqualTo(10);
        assertThat(log.peek("a").allowed()).as("it denied by itself").isFalse();
    }
}
