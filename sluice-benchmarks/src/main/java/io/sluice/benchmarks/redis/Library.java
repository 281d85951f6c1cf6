package io.sluice.benchmarks.redis;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** A library that limits rates with Redis. */
interface Library extends AutoCloseable {
    String who();

    /** Takes a permit, which is there, of any of these keys. */
    Call taking(List<String> keys);

    /** Takes the only permit of a key, and asks for another with each call. */
    Call denied(String key);

    /** Also deletes what it has left in Redis. */
    @Override
    void close();

    static <T> T any(List<T> list) {
        return list.size() == 1
                ? list.get(0)
                : list.get(ThreadLocalRandom.current().nextInt(list.size()));
    }
}
