package io.sluice.redis.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.redis.limits.AgreedLimits;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LocalHoldsTest {
    private static final long SECOND = 1_000_000;
    private static final List<Limit> TEN = List.of(Limit.parse("concurrency 10 hold 10s"));

    private final AtomicLong now = new AtomicLong(SECOND);
    private final AtomicInteger processes = new AtomicInteger(2);
    private final LocalHolds holds = new LocalHolds(now::get, processes::get);
    private final LimiterKey key = new LimiterKey(
            new AgreedLimits("reports", LimiterOptions.onFailure(OnFailure.LOCAL), TEN, adopted -> {}), "key");

    private Decision enter(long id) {
        return holds.enter(key, List.of(id), 1, 0, TEN);
    }

    @Test
    void share_isThePartOfThisProcess_withWhatItHoldsInRedis() {
        holds.entered(key, 1, now.get() + 5 * SECOND);
        holds.entered(key, 2, now.get() + 6 * SECOND);
        for (long id = 3; id <= 5; id++) {
            assertThat(enter(id)).isEqualTo(Decision.allowed(5 - id, 0, 10 * SECOND));
        }
        assertThat(enter(6)).isEqualTo(Decision.denied(0, 5 * SECOND, 10 * SECOND));
        now.addAndGet(5 * SECOND);
        assertThat(enter(6).allowed()).as("the first has lapsed").isTrue();
    }

    @Test
    void share_ofMoreProcessesThanPermits_isOne() {
        processes.set(30);
        assertThat(enter(1)).isEqualTo(Decision.allowed(0, 0, 10 * SECOND));
        assertThat(enter(2).allowed()).isFalse();
    }

    @Test
    void keptPermits_areDividedToo_andMoreThanAllIsNever() {
        assertThat(holds.enter(key, List.of(), 1, 4, TEN).remaining()).isEqualTo(3);
        assertThat(holds.enter(key, List.of(), 1, 9, TEN).never()).isFalse();
        assertThat(holds.enter(key, List.of(), 1, 10, TEN).never()).isTrue();
        assertThat(holds.isEmpty()).as("looks hold nothing").isTrue();
    }

    @Test
    void localHold_isOwedUntilRedisHasIt() {
        enter(1);
        holds.entered(key, 2, now.get() + 10 * SECOND);
        assertThat(holds.owed(key)).containsExactly(1L);
        assertThat(holds.owed(key)).as("a call is on its way").isEmpty();
        assertThat(holds.readmitted(key, 1, false)).isFalse();
        assertThat(holds.owed(key)).as("it has failed").containsExactly(1L);
        assertThat(holds.readmitted(key, 1, true)).isFalse();
        assertThat(holds.owed(key)).isEmpty();
        assertThat(holds.left(key, 1)).as("Redis must hear of it").isFalse();
    }

    @Test
    void localHold_thatEndsWhileItIsAdded_mustBeGivenBack() {
        enter(1);
        holds.owed(key);
        assertThat(holds.left(key, 1)).isFalse();
        assertThat(holds.readmitted(key, 1, true)).isTrue();
    }

    @Test
    void localHold_thatEndsBefore_isNobodysBusiness() {
        enter(1);
        assertThat(holds.left(key, 1)).isTrue();
        assertThat(holds.owed(key)).isEmpty();
        assertThat(holds.isEmpty()).isTrue();
    }

    @Test
    void holdOfRedis_renewedWithoutRedis_isOwed() {
        holds.entered(key, 1, now.get() + SECOND);
        assertThat(holds.renewed(key, 1, now.get() + 10 * SECOND, false)).isTrue();
        now.addAndGet(5 * SECOND);
        assertThat(holds.isOwed(key, 1)).isTrue();
        now.addAndGet(5 * SECOND);
        assertThat(holds.isOwed(key, 1)).as("lapsed").isFalse();
        assertThat(holds.renewed(key, 1, now.get() + SECOND, false)).isFalse();
    }
}
