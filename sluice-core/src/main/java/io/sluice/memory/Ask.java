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

        /**
         * How long to wait before it may be used, if it was taken. Otherwise, how long until another attempt succeeds without other
         * requests.
         */
        long waitMicros();

        /** How long another attempt will certainly fail, if it was not taken. What is held may be given back at any time. */
        long leastMicros();

        /** What the waiter gets. To be called once, when the wait is over. */
        T result();

        /** Gives back what was taken, if the waiter does not want it any more. */
        void cancel();
    }

    /** Takes it, if it may be used within that time. */
    Answer<T> attempt(long maxDelayMicros);

    /** For how many microseconds an attempt will certainly fail. */
    long leastMicros();

    /** An answer by which nothing was taken. */
    Answer<T> refused(long leastMicros);
}
