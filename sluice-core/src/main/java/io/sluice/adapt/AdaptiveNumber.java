package io.sluice.adapt;

import io.sluice.exact.Exact;
import java.util.Arrays;

/*
 * A process finishes at most C requests in a second, and a request takes S when nothing waits. By Little's law C * S requests in
 * flight keep the process busy. With fewer, some capacity is unused. With more, the others only wait, and everything gets slower.
 * So there are two numbers to find, and each shows only under its own condition:
 *
 *   C, the rate: requests finished in the time during which the limit was nearly reached (three quarters of it). A process that is
 *      pushed finishes what it can. The median of the last five windows is used, so a pause of the process disturbs nothing.
 *   S, the calm latency: the mean of requests that found less than a quarter of the number in flight. At low load there are always
 *      some. Under overload there are none. So the machine measures: for a moment it admits only a quarter of the
 *      number. What waits is served meanwhile, so the process stays busy for most of that time. The measurement ends when the mean
 *      is known to a twelfth of itself. Under overload the latency itself tells nothing: it is the number divided by C, also when S has
 *      become much smaller.
 *
 * The number is 2 * C * S + 2 * sqrt(C * S): a queue as long as the work in progress, and some more where few requests vary much.
 * Then a request waits about as long as it works.
 *
 * If a quarter of the number keeps the process as busy as the number does (C * S is no more than a quarter of it), then the requests that
 * count as calm wait for each other. So the number is far too large, and becomes at most half of it, until that is not so any more.
 *
 * What others found wrong with such limits, and what prevents it here:
 * - Quick requests leave first. So the mean of those that left first is too low if a few requests are much slower than the others. Here
 *   requests count in batches, and a batch counts when all of them have left.
 * - A baseline that is averaged with requests that waited grows under overload, and the limit with it, without bound. Here no
 *   request that waited counts as calm.
 * - The lowest latency ever seen pins the limit low, and a slow dependency looks like a queue. Here S is a mean, it is measured
 *   again before the number changes, and it may rise.
 * - Idle times inflate the limit. Here nothing is learned about C unless the limit is nearly reached.
 * - A limit that always probes never rests. Here the number changes only if it is wrong by more than a quarter. (Once corrected, it
 *   is corrected a second time if it is wrong by 15%, because the first step may have been taken from far away.) A calm latency
 *   that differs from the last by more than a quarter, and by more than can be chance, is believed when it was seen twice. Otherwise
 *   it is averaged with those before.
 *
 * Measurements cost little: one is due after eight seconds at the earliest, and after 25 times as long as the last one kept the process
 * from being busy. One comes earlier if the rate has moved by 15%, or the number seems wrong; then still at most a twentieth of the
 * time is spent on it.
 *
 * Requests that were dropped (timed out, or refused further down) say nothing about latency. If a tenth of the requests of a
 * window were dropped, the number falls by a quarter.
 */
/**
 * Finds the number of requests in flight that a process can carry, by their latency. A pure state machine: the caller passes the
 * time, in microseconds. It allocates nothing after its construction. Not thread-safe.
 */
public final class AdaptiveNumber {
    private static final int RATES = 5;
    private static final int ENOUGH_RATES = 3;
    private static final long WINDOW_MICROS = 200_000;
    private static final long WINDOW_FINISHED = 64;

    private static final int BATCH = 16;
    /** The smallest batch of a measurement, and a batch that costs little if so many are in flight. */
    private static final int MEASURED_BATCH = 2 * BATCH;

    private static final int CHEAP_BATCH = 4 * BATCH;
    /** Two batches, of which two requests may be dropped. */
    private static final int MIN_SAMPLES = 2 * BATCH - 2;

    private static final int MAX_SAMPLES = 160;
    private static final long LONGEST_BATCH = 60_000_000;
    private static final int FEWEST_SAMPLES = 8;
    private static final long EXACTNESS = 12;
    /** A difference of two and a half standard errors is no chance. */
    private static final long CHANCE_SQUARED_TIMES_4 = 25;
    /** As if so many means, equally weighted, were the calm latency. */
    private static final int MOST_TIMES = 4;

    /** Longer latencies count as this, so that their squares can be added. */
    private static final long MAX_LATENCY = 1L << 27;

    private static final long FIRST_MEASUREMENT_MICROS = 500_000;
    private static final long MIN_MEASUREMENT_MICROS = 100_000;
    private static final long LONGEST_MEASUREMENT_MICROS = 10_000_000;
    private static final long MEASUREMENT_PER_LATENCY = 16;
    private static final long MIN_INTERVAL = 8_000_000;
    private static final long INTERVAL_PER_MEASUREMENT = 25;
    private static final long QUIET_PER_MEASUREMENT = 20;
    private static final long FRESH_MICROS = 2_000_000;

    private static final long BUSY_PERCENT = 115;
    private static final long FAR_PERCENT = 125;
    private static final long CORRECTION_PERCENT = 115;
    private static final long MOVED_PERCENT = 115;

    /** Rates, latencies and their product are kept in fractions, this many of one. */
    private static final long FRACTION = 1 << 10;

    private final long least;
    private final long most;

    private long number;
    private long inFlight;
    private long latest;

    /** Finished per second while the limit was nearly reached, in fractions; the newest first. */
    private final long[] rates = new long[RATES];

    private final long[] sortedRates = new long[RATES];
    private int rateCount;
    private long rateWhenMeasured;
    /** Whether the limit was nearly reached until the latest time: several requests may end at that time. */
    private boolean wasBusy;

    private long busyMicros;
    private long busyFinished;

    /** In fractions of a microsecond; 0 if not known. */
    private long calmLatency;

    /** How many means it is the mean of. */
    private int calmTimes;

    /** The latest samples differ from the calm latency. They count if the next ones do too. */
    private boolean isDoubted;

    private long calmLearnedAt;
    /** Requests that entered before do not count as calm: they entered under another number. */
    private long calmSince;

    private int calmCount;
    private long calmSum;
    private long calmSquares;

    /** How many requests of the present batch have entered, and how many of them have not left. */
    private int batch;

    private int batchInFlight;
    /** The size of the next batch of a measurement: about as many as the last one needed. */
    private int measuredBatch = MEASURED_BATCH;
    /** When those entered, added up, counted from {@link #calmSince}. */
    private long batchEntered;

    private long batchSince;

    private boolean measuring;
    private long measuringSince;
    /** Since when fewer are in flight than keep the process busy: only this part of a measurement costs something. 0 for never. */
    private long drainedSince;

    private long longestMeasurement;
    private long measurementDueAt;
    private long quietUntil;
    private long measurements;
    /** The calm latency was learned with a larger number in flight, so it may have a queue in it. */
    private boolean calmIsOld = true;

    private boolean correcting;

    private long outcomesSince;
    private long outcomes;
    private long dropped;

    /** A machine that starts with {@code from} and stays between {@code least} and {@code most}. */
    public AdaptiveNumber(long from, long least, long most) {
        if (least < 1 || from < least || most < from) {
            throw new IllegalArgumentException(
                    "from: " + from + " between " + least + " and " + most + " (expected: 1 <= least <= from <= most)");
        }
        this.number = from;
        this.least = least;
        this.most = most;
    }

    /** The number that was found. It changes rarely. */
    public long number() {
        return number;
    }

    /**
     * How many may be in flight at a time: the number. During a measurement it is a quarter of the number, or what is in flight if
     * that is still more. Asking changes nothing.
     */
    public long admitted(long now) {
        return measurementLasts(now) > 0 ? Math.max(calmNumber(), Math.min(number, inFlight)) : number;
    }

    /** For how many microseconds a measurement lasts at most, so that fewer are admitted than the number; 0 if there is none. */
    public long measurementLasts(long now) {
        return measuring ? Math.max(0, measuringSince + longestMeasurement + 1 - now) : 0;
    }

    /** How many are in flight. */
    public long inFlight() {
        return inFlight;
    }

    /** How many measurements were started. */
    public long measurements() {
        return measurements;
    }

    /** The latency of a request that does not wait, in microseconds; 0 if it is not known yet. */
    public long calmLatencyMicros() {
        return calmLatency / FRACTION;
    }

    /**
     * A request begins. Whether it may is the caller's decision.
     *
     * @return a mark of the request, for {@link #left}
     */
    public long entered(long now) {
        advance(now);
        if (measuring && latest - measuringSince > longestMeasurement) {
            finishMeasurement();
        }
        inFlight++;
        return latest << 1 | (isSample() ? 1 : 0);
    }

    /** Whether the request that has just entered is one by which the calm latency is known. */
    private boolean isSample() {
        if (inFlight > calmNumber() || batch >= batchSize() || latest < calmSince) {
            return false;
        }
        if (batch == 0) {
            batchSince = latest;
        }
        batch++;
        batchInFlight++;
        batchEntered += latest - calmSince;
        return true;
    }

    private int batchSize() {
        // What takes long is to wait until a batch has left, so one batch should be enough.
        return measuring ? (int) Math.max(measuredBatch, Math.min(CHEAP_BATCH, calmNumber())) : BATCH;
    }

    /** A request ended; {@code drop} if it was given up, by a timeout or because it was refused. */
    public void left(long now, long mark, boolean drop) {
        advance(now);
        long enteredAt = mark >> 1;
        if (wasBusy) {
            busyFinished++;
        }
        if ((mark & 1) != 0 && enteredAt >= calmSince && batchInFlight > 0) {
            batchInFlight--;
            batchEntered -= enteredAt - calmSince;
            if (!drop) {
                long latency = Math.min(MAX_LATENCY, Math.max(0, latest - enteredAt));
                calmCount++;
                calmSum += latency;
                calmSquares += latency * latency;
            }
        }
        leave();
        if (drop) {
            dropped++;
        }
        outcomes++;
        decide();
    }

    /** Tells how many are in flight, if requests may end without a report. */
    public void synchronise(long now, long inFlight) {
        advance(now);
        this.inFlight = inFlight;
    }

    private void leave() {
        inFlight = Math.max(0, inFlight - 1);
        if (measuring && drainedSince == 0 && inFlight <= calmNumber()) {
            drainedSince = latest;
        }
    }

    private void advance(long now) {
        if (now > latest) {
            if (latest == 0) {
                // Those that entered before belong to another machine.
                calmSince = now;
            }
            wasBusy = isBusy();
            busyMicros += wasBusy ? now - latest : 0;
            latest = now;
        }
    }

    private boolean isBusy() {
        return !measuring && 4 * inFlight >= 3 * number;
    }

    private long calmNumber() {
        return Math.max(least, number / 4);
    }

    private void decide() {
        if (batch >= batchSize() && batchInFlight == 0) {
            batch = 0;
            if (calmCount >= MAX_SAMPLES || (calmCount >= MIN_SAMPLES && isExact())) {
                learnCalmLatency();
            }
        } else if (measuring && latest - measuringSince > longestMeasurement) {
            finishMeasurement();
        } else if (batch > 0 && !measuring && latest - batchSince > LONGEST_BATCH) {
            // A request that lapsed never leaves.
            emptyCalm();
        }
        if (!measuring && isWindowFull()) {
            addRate();
            considerMeasurement();
        }
        if (outcomes >= WINDOW_FINISHED && latest - outcomesSince >= WINDOW_MICROS) {
            judgeOutcomes();
        }
    }

    /** The time for the measurement is over. */
    private void finishMeasurement() {
        if (calmCount >= FEWEST_SAMPLES) {
            // Those that have not finished count for as long as they took until now.
            calmSum += Math.min(batchInFlight * MAX_LATENCY, batchInFlight * (latest - calmSince) - batchEntered);
            learnCalmLatency();
        } else {
            endMeasurement();
        }
    }

    private boolean isWindowFull() {
        return busyFinished >= WINDOW_FINISHED && busyMicros >= Math.max(WINDOW_MICROS, calmLatency / FRACTION);
    }

    private void addRate() {
        System.arraycopy(rates, 0, rates, 1, RATES - 1);
        rates[0] = Exact.mulDivSaturated(busyFinished, 1_000_000 * FRACTION, busyMicros);
        rateCount = Math.min(RATES, rateCount + 1);
        emptyWindow();
    }

    private void considerMeasurement() {
        if (rateCount < ENOUGH_RATES) {
            return;
        }
        if (calmLatency == 0 || calmIsOld || latest >= measurementDueAt) {
            measure();
        } else if (latest >= quietUntil) {
            if (isFar(target()) && latest - calmLearnedAt < FRESH_MICROS) {
                setNumber(target());
            } else if (isFar(target()) || differ(rate(), rateWhenMeasured, MOVED_PERCENT)) {
                measure();
            }
        }
    }

    private void measure() {
        measuring = true;
        measuringSince = latest;
        drainedSince = 0;
        longestMeasurement = longestMeasurementNow();
        measurements++;
        emptyCalm();
    }

    /** Long enough that the requests in flight leave, and then two batches. */
    private long longestMeasurementNow() {
        long usual = calmLatency == 0
                ? FIRST_MEASUREMENT_MICROS
                : Math.max(MIN_MEASUREMENT_MICROS, MEASUREMENT_PER_LATENCY * calmLatency / FRACTION);
        long slow = Exact.mulDivSaturated(2 * (number + BATCH), 1_000_000 * FRACTION, Math.max(1, rate()));
        return Math.max(usual, Math.min(slow, LONGEST_MEASUREMENT_MICROS));
    }

    /** Whether the standard error of the mean is at most a twelfth of the mean. */
    private boolean isExact() {
        long mean = calmSum / calmCount;
        return variance() * EXACTNESS * EXACTNESS <= mean * mean * calmCount;
    }

    private long variance() {
        long mean = calmSum / calmCount;
        return Math.max(0, calmSquares / calmCount - mean * mean);
    }

    private void learnCalmLatency() {
        long mean = Math.max(1, calmSum * FRACTION / calmCount);
        boolean isFirst = calmLatency == 0 || calmIsOld;
        boolean isAlike = !isFirst && !differsClearly(mean);
        planBatch();
        emptyCalm();
        if (!isFirst && !isAlike && !isDoubted) {
            isDoubted = true;
            measuringSince = latest;
            return;
        }
        calmTimes = isAlike ? Math.min(MOST_TIMES, calmTimes + 1) : 1;
        calmLatency += (mean - calmLatency) / calmTimes;
        isDoubted = false;
        calmIsOld = false;
        calmLearnedAt = latest;
        measurementDueAt = Math.max(measurementDueAt, latest + MIN_INTERVAL);
        if (measuring) {
            endMeasurement();
        }
    }

    /** Whether a mean differs by more than a quarter from the calm latency, and by more than can be chance. */
    private boolean differsClearly(long mean) {
        long difference = Math.abs(mean - calmLatency) / FRACTION;
        return differ(mean, calmLatency, FAR_PERCENT)
                && difference * difference * calmCount * 4 > CHANCE_SQUARED_TIMES_4 * variance();
    }

    /** The next measurement needs about as many samples as these would have needed. */
    private void planBatch() {
        long mean = Math.max(1, calmSum / calmCount);
        double needed = (double) variance() * EXACTNESS * EXACTNESS / ((double) mean * mean);
        measuredBatch = (int) Math.max(MEASURED_BATCH, Math.min(MAX_SAMPLES, needed * 1.25));
    }

    private void endMeasurement() {
        long took = latest - (drainedSince == 0 ? measuringSince : drainedSince);
        measuring = false;
        calmIsOld = false;
        measurementDueAt = latest + Math.max(MIN_INTERVAL, INTERVAL_PER_MEASUREMENT * took);
        quietUntil = latest + QUIET_PER_MEASUREMENT * took;
        rateWhenMeasured = rate();
        emptyWindow();
        if (calmLearnedAt == latest && isBusyWhenCalm()) {
            setNumber(Math.min(target(), Math.max(least, 2 * calmNumber())));
        } else if (calmLatency > 0 && isFar(target())) {
            setNumber(target());
        } else {
            correcting = false;
        }
    }

    private void setNumber(long target) {
        calmIsOld = target < number;
        correcting = !correcting;
        number = target;
        rateCount = 0;
        quietUntil = latest;
        emptyCalm();
    }

    /** Whether a quarter of the number keeps the process busy: so many finish C requests in a second, and wait for each other. */
    private boolean isBusyWhenCalm() {
        return calmNumber() > least
                && calmNumber() > 1
                && productInFractions() / FRACTION * 100 <= calmNumber() * FRACTION * BUSY_PERCENT;
    }

    private boolean isFar(long target) {
        return differ(target, number, correcting ? CORRECTION_PERCENT : FAR_PERCENT);
    }

    private long target() {
        // The product is in fractions of a fraction: its root is in fractions.
        long product = productInFractions();
        long root = squareRoot(product);
        return between(Exact.divUp(2 * (product / FRACTION) + 2 * root, FRACTION));
    }

    private long productInFractions() {
        return Exact.mulDivSaturated(rate(), calmLatency, 1_000_000);
    }

    private long rate() {
        System.arraycopy(rates, 0, sortedRates, 0, rateCount);
        Arrays.sort(sortedRates, 0, rateCount);
        return sortedRates[rateCount / 2];
    }

    private void judgeOutcomes() {
        if (10 * dropped >= outcomes) {
            number = between(number - Math.max(1, number / 4));
            rateCount = 0;
            emptyCalm();
        }
        outcomes = 0;
        dropped = 0;
        outcomesSince = latest;
    }

    private long between(long value) {
        return Math.max(least, Math.min(most, value));
    }

    private void emptyWindow() {
        wasBusy = false;
        busyMicros = 0;
        busyFinished = 0;
    }

    private void emptyCalm() {
        calmCount = 0;
        calmSum = 0;
        calmSquares = 0;
        batch = 0;
        batchInFlight = 0;
        batchEntered = 0;
        // Others that entered at the present time belong to the batch before.
        calmSince = latest + 1;
    }

    private static boolean differ(long x, long y, long percent) {
        return Math.max(x, y) * 100 > Math.min(x, y) * percent;
    }

    private static long squareRoot(long x) {
        long root = 0;
        for (long bit = Long.highestOneBit(1L << 30); bit > 0; bit >>= 1) {
            long next = root + bit;
            if (next * next <= x) {
                root = next;
            }
        }
        return root;
    }
}
