package io.sluice.memory.state;

/** Decides how many permits of a key may be held. It is called under the lock of the key. */
interface Inflight {
    /** How many permits may be held at t. Asking changes nothing. */
    long number(long t);

    /**
     * A permit is entered at t.
     *
     * @param held how many others are held
     * @return what {@link #left} gets back: twice t, and perhaps one
     */
    default long entered(long t, long held) {
        return t << 1;
    }

    /**
     * A permit is given back at t. A permit that lapses is not reported.
     *
     * @param mark what {@link #entered} returned
     * @param dropped whether its request failed because of overload
     * @param held how many are held, this one included
     */
    default void left(long t, long mark, boolean dropped, long held) {}

    /** When the permit of a mark was entered. */
    static long enteredAt(long mark) {
        return mark >> 1;
    }

    /** Goes on with what another one learned, as of an update of the limit. */
    default void adopt(Inflight other) {}

    /** How long after the last change of the key what was learned is forgotten, in microseconds; 0 if nothing is. */
    default long rememberedMicros() {
        return 0;
    }

    /** How many permits may be held once {@link #timeUntilAfterwards} has passed, if nothing happens until then. */
    long numberAfterwards();

    /** After how many microseconds the number becomes {@link #numberAfterwards}; 0 if it is that now. */
    default long timeUntilAfterwards(long t) {
        return 0;
    }

    /** The part of kept permits that applies now. */
    default long kept(long kept, long t) {
        return kept;
    }

    /** A constant number. */
    record Fixed(long number) implements Inflight {
        @Override
        public long number(long t) {
            return number;
        }

        @Override
        public long numberAfterwards() {
            return number;
        }
    }
}
