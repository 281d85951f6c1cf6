package io.sluice.memory;

/**
 * What a waiter asks for.
 *
 * @param <T> what the waiter gets
 */
interface Ask<T> {
    /** The answer to one attempt. */
    interface Answer<T> {
        /** Whether it was taken. */
        boolean granted();

        /** How long to wait before it may be used, if it was taken. Otherwise, how long until another attempt may succeed. */
        long waitMicros();

        /** What the waiter gets. To be called once, when the wait is over. */
        T result();

        /** Gives back what was taken, if the waiter does not want it any more. */
        void cancel();
    }

    /** Takes it, if it may be used within that time. */
    Answer<T> attempt(long maxDelayMicros);

    /** The microseconds until it may be used, without other requests. */
    long waitMicros();

    /** An answer by which nothing was taken. */
    Answer<T> refused(long waitMicros);
}
