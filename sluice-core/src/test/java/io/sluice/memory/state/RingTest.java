package io.sluice.memory.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RingTest {
    @Test
    void ring_randomOperations_behavesLikeAList() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Ring ring = new Ring();
            Deque<long[]> list = new ArrayDeque<>();
            long mark = 0;
            for (int i = 0; i < 500; i++) {
                switch (random.nextInt(5)) {
                    case 0 -> {
                        long below = mark - random.nextInt(40);
                        ring.dropBelow(below);
                        list.removeIf(entry -> entry[0] < below);
                    }
                    case 1 -> {
                        long taken = random.nextInt(20);
                        ring.takeNewest(taken);
                        while (taken > 0 && !list.isEmpty()) {
                            long part = Math.min(taken, list.getLast()[1]);
                            taken -= part;
                            list.getLast()[1] -= part;
                            if (list.getLast()[1] == 0) {
                                list.removeLast();
                            }
                        }
                    }
                    default -> {
                        mark += random.nextInt(3);
                        long count = random.nextLong(1, 6);
                        ring.add(mark, count);
                        if (!list.isEmpty() && list.getLast()[0] == mark) {
                            list.getLast()[1] += count;
                        } else {
                            list.add(new long[] {mark, count});
                        }
                    }
                }
                assertThat(ring.size()).isEqualTo(list.size());
                assertThat(ring.total())
                        .isEqualTo(list.stream().mapToLong(entry -> entry[1]).sum());
                int at = 0;
                for (long[] entry : list) {
                    assertThat(ring.mark(at)).isEqualTo(entry[0]);
                    assertThat(ring.count(at++)).isEqualTo(entry[1]);
                }
            }
        }
    }
}
