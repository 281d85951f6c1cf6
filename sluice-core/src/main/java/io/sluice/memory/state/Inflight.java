package io.sluice.memory.state;

/** Decides how many permits of a key may be held. It is called under the lock of the key. */
interface Inflight {
    /** How many permits may be held now. */
    long number();

    /** A permit was entered at t. */
    void entered(long t);

    /**
     * A permit was given back at t. A permit that lapses is not reported.
     *
     * @param enteredAt when it was entered
     * @param dropped whether its request failed because of overload
     */
    void left(long t, long enteredAt, boolean dropped);

    /** A constant number. */
    record Fixed(long number) implements Inflight {
        @Override
        public void entered(long t) {}

        @Override
        public void left(long t, long enteredAt, boolean dropped) {}
    }
}
