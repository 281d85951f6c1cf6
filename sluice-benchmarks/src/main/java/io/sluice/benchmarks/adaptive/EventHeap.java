package io.sluice.benchmarks.adaptive;

import java.util.Arrays;

/** Events of requests, by time. */
final class EventHeap {
    private long[] times = new long[1024];
    private int[] requests = new int[1024];
    private int size;

    void add(long time, int request) {
        if (size == times.length) {
            times = Arrays.copyOf(times, 2 * size);
            requests = Arrays.copyOf(requests, 2 * size);
        }
        int at = size++;
        while (at > 0 && times[(at - 1) / 2] > time) {
            move((at - 1) / 2, at);
            at = (at - 1) / 2;
        }
        set(at, time, request);
    }

    /** The time of the next event; at the end of all times if there is none. */
    long nextTime() {
        return size == 0 ? Long.MAX_VALUE : times[0];
    }

    int poll() {
        int first = requests[0];
        size--;
        long time = times[size];
        int at = 0;
        while (2 * at + 1 < size) {
            int child = 2 * at + 1;
            if (child + 1 < size && times[child + 1] < times[child]) {
                child++;
            }
            if (times[child] >= time) {
                break;
            }
            move(child, at);
            at = child;
        }
        set(at, time, requests[size]);
        return first;
    }

    private void move(int from, int to) {
        set(to, times[from], requests[from]);
    }

    private void set(int at, long time, int request) {
        times[at] = time;
        requests[at] = request;
    }
}
