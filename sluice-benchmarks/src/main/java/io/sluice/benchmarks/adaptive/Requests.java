package io.sluice.benchmarks.adaptive;

import java.util.Arrays;

/** The requests that are in the server, in columns. Numbers are used again. */
final class Requests {
    long[] arrived = new long[1024];
    long[] entered = new long[1024];
    long[] mark = new long[1024];
    long[] work = new long[1024];
    int[] inFlight = new int[1024];
    private int[] free = new int[1024];
    private int freeCount;
    private int used;

    int add() {
        if (freeCount > 0) {
            return free[--freeCount];
        }
        if (used == arrived.length) {
            arrived = Arrays.copyOf(arrived, 2 * used);
            entered = Arrays.copyOf(entered, 2 * used);
            mark = Arrays.copyOf(mark, 2 * used);
            work = Arrays.copyOf(work, 2 * used);
            inFlight = Arrays.copyOf(inFlight, 2 * used);
            free = Arrays.copyOf(free, 2 * used);
        }
        return used++;
    }

    void remove(int request) {
        free[freeCount++] = request;
    }
}
