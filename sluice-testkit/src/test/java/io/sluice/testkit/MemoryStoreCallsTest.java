package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.CallLimiter;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.memory.MemoryStore;
import io.sluice.memory.snapshot.Snapshot;
import io.sluice.spi.TentativeDecision;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The state of call limiters in a memory store, and in its snapshots. */
class MemoryStoreCallsTest {
    private static final int LIMITS = 20_000;
    private static final long NOW = ManualTime.START_MICROS;

    /** A snapshot of two limiters, written by the first release. */
    private static final String OLD_SNAPSHOT =
            "c2x1aWNlGgFDAAAACICAguKI0qMGCPKEqUwAAAAaA29uZQETdG9rZW4tYnVja2V0IDEwL21pbgAu/449SwAAABEAAQFrAAAEAAD/"
                    + "/4HiiNKjBhRxV81MAAAALxhjYWxsIHRva2VuLWJ1Y2tldCAxMC9taW4BE3Rva2VuLWJ1Y2tldCAxMC9taW4APW2COksAAAARAAEB"
                    + "awAABAAA//+B4ojSowYsVGiSRQAAAAMCAgDAd7QB";

    private final ManualTime time = ManualTime.forwardOnly(NOW);
    private final MemoryStore store = MemoryStore.builder().time(time).build();
    private final CallLimiter calls = store.callLimiter("calls");

    @Test
    void twentyThousandLimits_leaveNothing() {
        for (int i = 1; i <= LIMITS; i++) {
            assertThat(calls.check("key" + i, 1, Limit.tokenBucket(i, Duration.ofSeconds(1)))
                            .remaining())
                    .isEqualTo(i - 1);
        }
        assertThat(store.size()).isEqualTo(LIMITS);
        time.advance(Duration.ofMinutes(5));
        assertThat(store.size()).isZero();
        assertThat(store.evictions()).isZero();
        assertThat(time.scheduled()).as("an empty store does nothing").isZero();
    }

    @Test
    void twentyThousandLimitsOfOneKey_areOneKey() {
        for (int i = 1; i <= LIMITS; i++) {
            assertThat(calls.check("key", 1, Limit.tokenBucket(LIMITS + i, Duration.ofDays(1)))
                            .remaining())
                    .isEqualTo(LIMITS);
        }
        assertThat(store.size()).isOne();
    }

    @Test
    void deniedAndLookedAtKeys_neverSeenBefore_areNotKept() {
        Limit limit = Limit.parse("10/s");
        calls.check("a", 11, limit);
        calls.check("b", 0, limit);
        calls.peek("c", 5, limit);
        calls.refund("d", 5);
        calls.check("e", 5, limit);
        calls.refund("e", 5);
        calls.check("f", 5, limit);
        calls.reset("f");
        calls.check("g", 5, Limit.unlimited());
        calls.check("h", 5, Limit.blocked());
        assertThat(store.size()).isZero();
    }

    @Test
    void moreKeysThanTheStoreMayHold_makeRoom() {
        MemoryStore small = MemoryStore.builder().maxKeys(10).time(time).build();
        CallLimiter calls = small.callLimiter("calls");
        for (int i = 1; i <= 1000; i++) {
            calls.check("key" + i, 1, Limit.tokenBucket(i, Duration.ofHours(1)));
        }
        assertThat(small.size()).isLessThanOrEqualTo(10);
        assertThat(small.evictions()).isGreaterThanOrEqualTo(990);
    }

    @Test
    void longKey_isKeptAsADigest() throws IOException {
        calls.check("k".repeat(60_000), 1, Limit.parse("1/d"));
        calls.check("#" + "k".repeat(43), 1, Limit.parse("1/d"));
        assertThat(saved(store)).hasSizeLessThan(400);
    }

    @Test
    void taken_givenBackUnderAnotherLimit_isWhatIsStillUnused() {
        Limit first = Limit.parse("10 per 10s");
        TentativeDecision taken = store.decideTentatively(List.of(calls.charge("k", 6, first)));
        assertThat(taken.decisions().allowed()).isTrue();
        time.advance(Duration.ofSeconds(2));
        Limit second = Limit.parse("sliding-log 20 per 1h");
        assertThat(calls.check("k", 1, second).remaining()).as("4 of 6, and 1").isEqualTo(15);
        taken.cancel();
        assertThat(calls.check("k", 0, second).remaining()).isEqualTo(19);
        TentativeDecision kept = store.decideTentatively(List.of(calls.charge("k", 3, second)));
        kept.commit();
        assertThat(calls.check("k", 0, second).remaining()).isEqualTo(16);
    }

    @Test
    void saved_isRestoredWithTheLimitOfEachKey() throws IOException {
        Limit bucket = Limit.parse("10 per 100s");
        Limit window = Limit.parse("fixed-window 10 per 1h");
        calls.check("a", 4, bucket);
        calls.check("b", 5, bucket);
        calls.check("c", 6, window);
        store.callLimiter("others").check("a", 7, window);
        byte[] bytes = saved(store);

        MemoryStore again = MemoryStore.builder().time(time).build();
        Snapshot snapshot = again.restore(new ByteArrayInputStream(bytes));
        assertThat(snapshot.limiters()).isEqualTo(2);
        assertThat(snapshot.keys()).isEqualTo(4);
        assertThat(again.size()).isEqualTo(4);
        CallLimiter restored = again.callLimiter("calls");
        assertThat(restored.check("a", 0, bucket).remaining()).isEqualTo(6);
        assertThat(restored.check("b", 1, Limit.parse("20 per 100s")).remaining())
                .isEqualTo(14);
        assertThat(restored.check("c", 0, window).remaining()).isEqualTo(4);
        assertThat(again.callLimiter("others").check("a", 0, window).remaining())
                .isEqualTo(3);
        time.advance(Duration.ofSeconds(20));
        assertThat(restored.check("a", 0, bucket).remaining()).isEqualTo(8);
    }

    @Test
    void restored_nobodyAsks_isSweptAndItsNameIsFree() throws IOException {
        calls.check("a", 4, Limit.parse("10 per 1d"));
        byte[] bytes = saved(store);
        MemoryStore again = MemoryStore.builder().time(time).build();
        again.restore(new ByteArrayInputStream(bytes));
        RateLimiter limiter = again.limiter("calls", Limit.parse("10 per 1d"));
        assertThat(limiter.check("a", 10).allowed()).isTrue();
        assertThatThrownBy(() -> again.callLimiter("calls")).isInstanceOf(IllegalStateException.class);

        MemoryStore other = MemoryStore.builder().time(time).build();
        other.restore(new ByteArrayInputStream(saved(again)));
        assertThat(other.callLimiter("calls")
                        .check("a", 0, Limit.parse("10 per 1d"))
                        .remaining())
                .isEqualTo(10);
        time.advance(Duration.ofDays(2));
        assertThat(other.size()).isZero();
        assertThat(again.size()).isZero();
    }

    @Test
    void snapshotOfTheFirstRelease_isRestored() throws IOException {
        Snapshot snapshot =
                store(time).restore(new ByteArrayInputStream(Base64.getDecoder().decode(OLD_SNAPSHOT)));
        assertThat(snapshot).isEqualTo(new Snapshot(NOW, 2, 2, 0));
        MemoryStore again = store(time);
        again.restore(new ByteArrayInputStream(Base64.getDecoder().decode(OLD_SNAPSHOT)));
        assertThat(again.limiter("one", Limit.parse("10/min")).peek("k").remaining())
                .isEqualTo(6);
    }

    private static MemoryStore store(ManualTime time) {
        return MemoryStore.builder().time(time).build();
    }

    /** A store that is saved and restored repeatedly decides like a store that lives on. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void restarted_randomTraces_decidesAsIfItHadLivedOn(boolean forward) throws IOException {
        for (long seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            RandomLimits limits = new RandomLimits(random);
            ManualTime now = forward ? ManualTime.forwardOnly(NOW) : new ManualTime();
            CallLimiter living = store(now).callLimiter("calls");
            MemoryStore restarted = store(now);
            Limit[] pool = {limits.anyRate(), limits.anyRate(), limits.anyRate(), Limit.parse("10/min")};
            for (int step = 0; step < 200; step++) {
                Limit limit = pool[random.nextInt(pool.length)];
                now.advanceMicros(random.nextLong(1L << (1 + random.nextInt(34))));
                String key = "k" + random.nextInt(3);
                long permits = random.nextLong(1 + Math.min(limit.capacity(), 1L << 40));
                Decision expected = living.check(key, permits, limit);
                assertThat(restarted.callLimiter("calls").check(key, permits, limit))
                        .as("seed %s, step %s, check(%s, %s, %s)", seed, step, key, permits, limit)
                        .isEqualTo(expected);
                if (random.nextInt(12) == 0) {
                    byte[] bytes = saved(restarted);
                    restarted = store(now);
                    restarted.restore(new ByteArrayInputStream(bytes));
                }
            }
        }
    }

    private static byte[] saved(MemoryStore store) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        store.save(out);
        return out.toByteArray();
    }
}
