package io.sluice.cli.simulate;

import io.sluice.cli.CommandRun;
import java.util.Random;

/** Random rows with few keys, some with unusual characters, with short and long steps in time. */
public final class RandomTrace {
    private static final String[] KEYS = {"a", "b", "", "{x}", "a:b", "é\uD83D\uDD11", "\"q,\"\"r\"", "k".repeat(300)};

    private RandomTrace() {}

    public static String of(long seed, int rows) {
        Random random = new Random(seed);
        StringBuilder trace = new StringBuilder(CommandRun.HEADER);
        long time = random.nextBoolean() ? 0 : 1_700_000_000_000_000L;
        for (int i = 0; i < rows; i++) {
            trace.append(time).append(',');
            trace.append(KEYS[random.nextInt(KEYS.length)]).append(',');
            trace.append(random.nextInt(50) == 0 ? random.nextLong(1L << 53) : random.nextInt(4))
                    .append('\n');
            time += random.nextLong() >>> (64 - random.nextInt(1, random.nextInt(100) == 0 ? 40 : 20));
        }
        return trace.toString();
    }
}
