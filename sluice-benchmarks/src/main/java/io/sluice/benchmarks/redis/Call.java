package io.sluice.benchmarks.redis;

/** One call of one contestant, on any thread. Throws if the case expects another result. */
interface Call {
    void run();
}
