package io.sluice.benchmarks.redis;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** A rate limiting library that uses Redis. */
interface Library extends AutoCloseable {
    String who();

    /** A call that takes a permit of one of these keys. There are always permits. */
    Call taking(List<String> keys);

    /** Takes the only permit of a key. Each call then asks for another permit and is denied. */
    Call denied(String key);

    /** Closes the library and deletes its keys. */
    @Override
    void close();

    static <T> T any(List<T> list) {
        return list.size() == 1
                ? list.get(0)
                : list.get(ThreadLocalRandom.current().nextInt(list.size()));
    }
}
