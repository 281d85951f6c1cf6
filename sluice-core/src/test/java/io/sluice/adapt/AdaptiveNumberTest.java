package io.sluice.adapt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The machine on a server with some workers, a constant service time and requests without end. The benchmarks have the random ones. */
class AdaptiveNumberTest {
    private static final long SERVICE = 10_000;

    private final AdaptiveNumber machine = new AdaptiveNumber(20, 1, 1000);
    private final ArrayDeque<long[]> running = new ArrayDeque<>();
    private long now = 1_700_000_000_000_000L;

    @Test
    void number_underOverload_isTwiceWhatKeepsTheWorkersBusyAndALittle() {
        overload(16, 20_000_000);

        // 2 * 16 + 2 * 4
        assertThat(machine.number()).isBetween(36L, 44L);
        assertThat(machine.calmLatencyMicros()).isBetween(9_000L, 11_000L);
    }

    @Test
    void number_fallsAndRisesWithTheWorkers() {
        overload(16, 10_000_000);
        overload(8, 10_000_000);
        assertThat(machine.number()).isBetween(18L, 25L);
        overload(64, 10_000_000);
        assertThat(machine.number()).isBetween(130L, 160L);
    }

    @Test
    void number_withoutChanges_rests() {
        overload(16, 20_000_000);
        long number = machine.number();
        for (int i = 0; i < 60; i++) {
            overload(16, 1_000_000);
            assertThat(machine.number()).isEqualTo(number);
        }
    }

    @Test
    void measurements_takeAtMostATwentiethOfTheTime() {
        overload(16, 20_000_000);
        long before = machine.measurements();
        overload(16, 100_000_000);

        assertThat(machine.measurements() - before).isBetween(5L, 13L);
    }

    @Test
    void number_whenIdle_stays() {
        overload(16, 10_000_000);
        long number = machine.number();
        for (int i = 0; i < 100_000; i++) {
            now += 100_000;
            long mark = machine.entered(now);
            now += SERVICE;
            machine.left(now, mark, false);
        }
        assertThat(machine.number()).isEqualTo(number);
    }

    @Test
    void oneFastRequest_pinsNothing() {
        overload(16, 10_000_000);
        long number = machine.number();
        long mark = machine.entered(now);
        machine.left(now + 1, mark, false);
        overload(16, 30_000_000);

        assertThat(machine.number()).isBetween(number - 3, number + 3);
    }

    @Test
    void drops_lowerTheNumber() {
        overload(16, 10_000_000);
        long number = machine.number();
        for (int i = 0; i < 200; i++) {
            long mark = machine.entered(now);
            now += 2_000;
            machine.left(now, mark, i % 5 == 0);
        }
        assertThat(machine.number()).isLessThan(number);
    }

    /** Nine requests of ten are quick. Those leave first, and must not count alone. */
    @Test
    void fewSlowRequests_count() {
        Random random = new Random(1);
        PriorityQueue<long[]> served = new PriorityQueue<>(Comparator.comparingLong(request -> request[0]));
        ArrayDeque<Long> waiting = new ArrayDeque<>();
        for (int i = 0; i < 100_000; i++) {
            while (machine.inFlight() < machine.admitted(now)) {
                waiting.add(machine.entered(now));
            }
            while (served.size() < 16 && !waiting.isEmpty()) {
                served.add(new long[] {now + (random.nextInt(10) == 0 ? 73_000 : 3_000), waiting.remove()});
            }
            long[] next = served.remove();
            now = next[0];
            machine.left(now, next[1], false);
        }
        assertThat(machine.number()).as("2 * 16 + 2 * 4").isBetween(28L, 60L);
    }

    @Test
    void requestsThatNeverLeave_endABatch() {
        for (int i = 0; i < 8; i++) {
            machine.entered(now);
        }
        machine.synchronise(now, 0);
        now += 60_000_001;
        overload(16, 20_000_000);
        assertThat(machine.number()).isBetween(36L, 44L);
    }

    @Test
    void measurement_whileAllRequestsHang_ends() {
        overload(16, 10_000_000);
        while (machine.admitted(now) == machine.number()) {
            overload(16, 5_000);
        }
        assertThat(machine.admitted(now)).isLessThan(machine.number());
        assertThat(machine.admitted(now + 1_000_000)).isEqualTo(machine.number());
    }

    @Test
    void samples_allocateNothing() {
        overload(16, 20_000_000);
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        sample(200_000);
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        sample(200_000);
        long allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;

        assertThat(allocated).isLessThan(20_000);
    }

    /** Enters and leaves at the limit, so that windows end and measurements run. */
    private void sample(int times) {
        for (int i = 0; i < times; i++) {
            now += 600;
            long mark = machine.admitted(now) > machine.inFlight() ? machine.entered(now) : 0;
            machine.left(now, mark == 0 ? (now - SERVICE) << 1 : mark, false);
        }
    }

    @Test
    void number_staysInItsBounds() {
        AdaptiveNumber bounded = new AdaptiveNumber(5, 4, 6);
        assertThat(bounded.number()).isEqualTo(5);
        assertThatThrownBy(() -> new AdaptiveNumber(7, 4, 6)).isInstanceOf(IllegalArgumentException.class);
    }

    /** As many requests as the machine admits, at every moment; the workers serve them in turn. */
    private void overload(int workers, long micros) {
        long end = now + micros;
        while (now < end) {
            while (machine.inFlight() < machine.admitted(now)) {
                running.add(new long[] {0, machine.entered(now)});
            }
            int served = 0;
            for (long[] request : running) {
                if (served++ == workers) {
                    break;
                }
                if (request[0] == 0) {
                    request[0] = now + SERVICE;
                }
            }
            long next = running.element()[0];
            now = Math.max(now, next);
            while (!running.isEmpty() && running.element()[0] != 0 && running.element()[0] <= now) {
                machine.left(now, running.remove()[1], false);
            }
        }
    }
}
