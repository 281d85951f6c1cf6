package io.sluice.server.flood;

import java.util.Arrays;
import java.util.Random;

/** Bytes with random changes: some replaced, some removed, some repeated. */
final class Mutations {
    private Mutations() {}

    static byte[] of(byte[] bytes, Random random) {
        byte[] damaged = bytes;
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            int from = random.nextInt(damaged.length + 1);
            int to = from + random.nextInt(Math.min(8, damaged.length - from) + 1);
            byte[] middle = new byte[random.nextInt(8)];
            random.nextBytes(middle);
            byte[] changed = Arrays.copyOf(damaged, from + middle.length + damaged.length - to);
            System.arraycopy(middle, 0, changed, from, middle.length);
            System.arraycopy(damaged, to, changed, from + middle.length, damaged.length - to);
            damaged = changed;
        }
        return damaged;
    }
}
