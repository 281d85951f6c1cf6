package io.sluice.benchmarks.redis;

/** One call of one contestant, on any thread. Throws if the answer is not the one that the case is about. */
interface Call {
    void run();
}
