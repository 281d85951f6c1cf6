package io.sluice.benchmarks.adaptive;

import java.util.ArrayDeque;
import java.util.SplittableRandom;

/*
 * Requests arrive as a Poisson process, whatever happened to those before (an open loop). An admitted request first waits for the
 * dependency, then for a worker, then it is served. Waiting requests are served in the order in which they came. In a pause the process
 * stands still: workers do not progress, and what arrives is decided at its end.
 */
/** Runs a scenario with a mode, on virtual time. */
final class Simulation {
    private static final long SECOND = 1_000_000;
    private static final long SAMPLE = 100_000;
    private static final long PAUSE_EVERY = 10 * SECOND;
    private static final long PAUSE = 50_000;

    private final Scenario scenario;
    private final Mode mode;
    private final RunRecord record;
    private final SplittableRandom arrivals;
    private final SplittableRandom works;

    private final Requests requests = new Requests();
    private final EventHeap dependency = new EventHeap();
    private final EventHeap served = new EventHeap();
    private final ArrayDeque<Integer> queue = new ArrayDeque<>();
    private final ArrayDeque<Long> duringPause = new ArrayDeque<>();

    private Phase phase;
    private int inFlight;
    private int busy;
    private long busyTime;
    private long latest;

    private Simulation(Scenario scenario, Mode mode, long seed) {
        this.scenario = scenario;
        this.mode = mode;
        this.record = new RunRecord(scenario);
        this.phase = scenario.phases().get(0);
        SplittableRandom root = new SplittableRandom(seed);
        this.arrivals = root.split();
        this.works = root.split();
    }

    static RunRecord run(Scenario scenario, Mode mode, long seed) {
        return new Simulation(scenario, mode, seed).run();
    }

    private RunRecord run() {
        long start = 0;
        long nextSample = SAMPLE;
        for (int i = 0; i < scenario.phases().size(); i++) {
            phase = scenario.phases().get(i);
            record.begin(i);
            startWaiting(start);
            long end = start + phase.seconds() * SECOND;
            long nextArrival = start + gap();
            while (true) {
                long t =
                        Math.min(Math.min(nextArrival, nextSample), Math.min(dependency.nextTime(), served.nextTime()));
                if (t >= end) {
                    break;
                }
                advance(t);
                if (t == nextSample) {
                    mode.load(t, Math.min(1, busyTime / (double) (SAMPLE * phase.workers())));
                    record.number(t, mode.number());
                    busyTime = 0;
                    nextSample += SAMPLE;
                } else if (t == dependency.nextTime()) {
                    startOrWait(dependency.poll(), t);
                } else if (t == served.nextTime()) {
                    finish(served.poll(), t);
                } else {
                    arrive(t);
                    nextArrival = t + gap();
                }
            }
            start = end;
        }
        return record;
    }

    private long gap() {
        return Math.max(1, Math.round(-Math.log(1 - arrivals.nextDouble()) / phase.arrivals() * SECOND));
    }

    private void advance(long t) {
        busyTime += busy * (t - latest);
        latest = t;
    }

    private void arrive(long t) {
        if (isPaused(t)) {
            duringPause.add(t);
            return;
        }
        while (!duringPause.isEmpty()) {
            enter(duringPause.remove(), t);
        }
        enter(t, t);
    }

    private void enter(long arrived, long t) {
        long work = phase.serviceMicros(works);
        long wait = phase.dependencyMicros(works);
        mode.waiting(queue.size());
        long mark = mode.enter(t);
        if (mark == Mode.DENIED) {
            return;
        }
        int request = requests.add();
        requests.arrived[request] = arrived;
        requests.entered[request] = t;
        requests.mark[request] = mark;
        requests.work[request] = work;
        requests.inFlight[request] = ++inFlight;
        if (wait > 0) {
            dependency.add(t + wait, request);
        } else {
            startOrWait(request, t);
        }
    }

    private void startOrWait(int request, long t) {
        queue.add(request);
        startWaiting(t);
    }

    private void startWaiting(long t) {
        while (busy < phase.workers() && !queue.isEmpty()) {
            int request = queue.remove();
            busy++;
            served.add(end(t, requests.work[request]), request);
        }
    }

    private void finish(int request, long t) {
        busy--;
        startWaiting(t);
        inFlight--;
        mode.left(t, requests.entered[request], requests.mark[request], requests.inFlight[request]);
        record.finished(t, t - requests.arrived[request]);
        requests.remove(request);
    }

    private boolean isPaused(long t) {
        return phase.pauses() && t > SECOND && t % PAUSE_EVERY < PAUSE;
    }

    private long end(long t, long work) {
        if (!phase.pauses()) {
            return t + work;
        }
        long begin = isPaused(t) ? t - t % PAUSE_EVERY + PAUSE : t;
        long end = begin + work;
        return end / PAUSE_EVERY > begin / PAUSE_EVERY ? end + PAUSE : end;
    }
}
