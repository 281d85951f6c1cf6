package io.sluice.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Limit;
import io.sluice.memory.MemoryStore;
import io.sluice.testkit.ManualTime;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

@Tag("slow")
class FreshLimitsTest {
    private final ManualTime time = new ManualTime();
    private final MemoryStore store = MemoryStore.builder().time(time).build();

    private static <T> ObjectProvider<T> provider(Class<T> type, Object... beans) {
        StaticListableBeanFactory factory = new StaticListableBeanFactory();
        for (int i = 0; i < beans.length; i++) {
            factory.addBean("bean" + i, beans[i]);
        }
        return factory.getBeanProvider(type);
    }

    private FreshLimits limits() {
        return new FreshLimits(provider(ManualTime.class, time), provider(MemoryStore.class, store));
    }

    @Test
    void withoutUse_timeStands() {
        limits().reset();
        assertThat(time.micros()).isEqualTo(ManualTime.START_MICROS);
    }

    @Test
    void manyKeys_areAllFresh() {
        Limit limit = Limit.parse("1 per 7d");
        for (int i = 0; i < 10_000; i++) {
            store.limiter("many", limit).tryAcquire("key" + i);
        }
        limits().reset();
        assertThat(store.size()).isZero();
        assertThat(store.limiter("many", limit).tryAcquire("key0")).isTrue();
    }

    @Test
    void keyThatIsUsedForYears_isReported() {
        store.limiter("slow", Limit.parse("1 per 3650d")).tryAcquire("k");
        assertThatThrownBy(limits()::reset)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("1 keys are not fresh")
                .hasMessageContaining("@DirtiesContext");
    }

    @Test
    void withoutManualTimeOrMemoryStore_nothingHappens() {
        store.limiter("a", Limit.parse("1/h")).tryAcquire("k");
        new FreshLimits(provider(ManualTime.class, time), provider(MemoryStore.class)).reset();
        new FreshLimits(provider(ManualTime.class), provider(MemoryStore.class, store)).reset();
        assertThat(time.micros()).isEqualTo(ManualTime.START_MICROS);
    }
}
