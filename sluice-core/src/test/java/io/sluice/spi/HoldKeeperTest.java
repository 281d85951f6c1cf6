package io.sluice.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.TimeSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class HoldKeeperTest {
    private final Clock clock = new Clock();
    private final HoldKeeper keeper = new HoldKeeper(clock);
    private final List<String> renewed = new ArrayList<>();

    /** So that the garbage collector leaves them. */
    private final List<HoldKeeper.Renewable> inUse = new ArrayList<>();

    /** The testkit stands on this module, so its manual time cannot be used here. */
    private static final class Clock implements TimeSource {
        private record Task(long due, Runnable task) {}

        private final List<Task> tasks = new ArrayList<>();
        private long now;

        @Override
        public long micros() {
            return now;
        }

        @Override
        public Runnable schedule(long delayMicros, Runnable task) {
            tasks.add(new Task(now + delayMicros, task));
            return () -> {};
        }

        void moveTo(long micros) {
            while (true) {
                Task next = tasks.stream()
                        .min(Comparator.comparingLong(Task::due))
                        .filter(task -> task.due <= micros)
                        .orElse(null);
                if (next == null) {
                    break;
                }
                tasks.remove(next);
                now = Math.max(now, next.due);
                next.task.run();
            }
            now = micros;
        }
    }

    private HoldKeeper.Renewable permit(String name, long again) {
        HoldKeeper.Renewable permit = () -> {
            renewed.add(name + "@" + clock.now);
            return again;
        };
        inUse.add(permit);
        return permit;
    }

    @Test
    void keep_renewsAtItsPace() {
        HoldKeeper.Renewable first = permit("first", 10);
        HoldKeeper.Renewable second = permit("second", 10);
        keeper.every(10).keep(first);
        clock.moveTo(4);
        keeper.every(10).keep(second);
        clock.moveTo(30);
        assertThat(renewed).containsExactly("first@10", "second@14", "first@20", "second@24", "first@30");
    }

    @Test
    void keep_anotherPaceAfterARenewal_isFollowed() {
        HoldKeeper.Renewable permit = permit("permit", 3);
        keeper.every(10).keep(permit);
        clock.moveTo(16);
        assertThat(renewed).containsExactly("permit@10", "permit@13", "permit@16");
    }

    @Test
    void stop_endsTheRenewals_ofThisPermitOnly() {
        HoldKeeper.Renewable[] permits = {permit("a", 10), permit("b", 10), permit("c", 10)};
        List<HoldKeeper.Kept> kept = new ArrayList<>();
        for (HoldKeeper.Renewable permit : permits) {
            kept.add(keeper.every(10).keep(permit));
        }
        kept.get(1).stop();
        kept.get(1).stop();
        clock.moveTo(10);
        kept.get(0).stop();
        clock.moveTo(20);
        kept.get(2).stop();
        clock.moveTo(40);
        assertThat(renewed).containsExactly("a@10", "c@10", "c@20");
        assertThat(clock.tasks).as("no timer without permits").isEmpty();
        HoldKeeper.Renewable later = permit("later", 10);
        keeper.every(10).keep(later);
        clock.moveTo(50);
        assertThat(renewed).endsWith("later@50");
    }

    @Test
    void permit_thatNobodyRefersTo_isNotRenewed() {
        HoldKeeper.Renewable lost = permit("lost", 10);
        // As the garbage collector does it.
        keeper.every(10).keep(lost).clear();
        clock.moveTo(100);
        assertThat(renewed).isEmpty();
        assertThat(clock.tasks).isEmpty();
    }

    @Test
    void renewal_thatThrows_harmsNoOther() {
        HoldKeeper.Renewable failing = () -> {
            renewed.add("failing@" + clock.now);
            throw new IllegalStateException("failed");
        };
        keeper.every(10).keep(failing);
        keeper.every(10).keep(permit("other", 10));
        clock.moveTo(20);
        assertThat(renewed).containsExactly("failing@10", "other@10", "failing@20", "other@20");
        inUse.add(failing);
    }

    @Test
    void renewal_thatEnds_isNotRepeated() {
        HoldKeeper.Renewable ended = permit("ended", 0);
        keeper.every(10).keep(ended);
        clock.moveTo(100);
        assertThat(renewed).containsExactly("ended@10");
    }
}
