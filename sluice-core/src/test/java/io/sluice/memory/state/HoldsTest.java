package io.sluice.memory.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HoldsTest {
    private record Hold(long id, long lapse, long entered) {}

    @Test
    void holds_randomOperations_behaveLikeASortedList() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Holds holds = new Holds(true);
            List<Hold> list = new ArrayList<>();
            long t = 1000;
            int most = 1 << random.nextInt(1, 8);
            for (int i = 0; i < 600; i++) {
                t += random.nextInt(3);
                int at = list.isEmpty() ? 0 : random.nextInt(list.size());
                int verb = random.nextInt(10);
                if (list.isEmpty() || (verb < 5 && list.size() < most)) {
                    // Few ids share many homes.
                    Hold hold = new Hold(unused(list, random), t + random.nextInt(20), t);
                    holds.add(hold.id, hold.lapse, hold.entered);
                    insert(list, hold);
                } else if (verb < 7) {
                    Hold hold = list.remove(at);
                    long lapse = t + random.nextInt(20);
                    holds.renew(holds.find(hold.id), lapse);
                    insert(list, new Hold(hold.id, lapse, hold.entered));
                } else if (verb < 9) {
                    holds.remove(holds.find(list.remove(at).id));
                } else {
                    long now = t;
                    holds.dropLapsed(now);
                    holds.trim();
                    list.removeIf(hold -> hold.lapse <= now);
                }
                assertThat(contents(holds)).as("seed %s, step %s", seed, i).isEqualTo(list);
                assertThat(holds.size()).isEqualTo(list.size());
                list.forEach(hold -> assertThat(holds.id(holds.find(hold.id))).isEqualTo(hold.id));
                assertThat(holds.find(unused(list, random))).isEqualTo(Holds.NONE);
            }
        }
    }

    private static long unused(List<Hold> list, Random random) {
        while (true) {
            long id = random.nextBoolean() ? random.nextLong() : random.nextInt(1, 400);
            if (id != 0 && list.stream().noneMatch(hold -> hold.id == id)) {
                return id;
            }
        }
    }

    /** The latest comes last of those that lapse at the same time. */
    private static void insert(List<Hold> list, Hold hold) {
        list.add(hold);
        list.sort(Comparator.comparingLong(Hold::lapse));
    }

    private static List<Hold> contents(Holds holds) {
        List<Hold> contents = new ArrayList<>();
        for (int slot = holds.first(); slot != Holds.NONE; slot = holds.next(slot)) {
            contents.add(new Hold(holds.id(slot), holds.lapse(slot), holds.entered(slot)));
        }
        return contents;
    }

    @Test
    void holds_manyThenFew_becomeSmallAgain() {
        Holds holds = new Holds(false);
        assertThat(holds.weight()).isZero();
        for (int i = 1; i <= 1000; i++) {
            holds.add(i, i, 0);
        }
        assertThat(holds.weight()).isGreaterThan(60);
        Holds copy = new Holds(true);
        copy.addAll(holds, 500);
        holds.dropLapsed(998);
        holds.trim();
        assertThat(holds.weight()).isEqualTo(1);
        assertThat(holds.size()).isEqualTo(2);
        assertThat(copy.size()).as("a copy is independent").isEqualTo(500);
        assertThat(Inflight.enteredAt(copy.entered(copy.first())))
                .as("not known before")
                .isEqualTo(500);
    }
}
