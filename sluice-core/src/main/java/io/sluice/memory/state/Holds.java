package io.sluice.memory.state;

/*
 * A hash table with open addressing, in one array. Each entry has three words: its id, the time when it lapses, and the slots of
 * its neighbours in the order of their lapse. A fourth is the time when it entered, if that matters. An id of 0 marks a free slot. New holds lapse last, unless
 * the limit's hold has just become shorter. So entering, renewing and leaving take constant time, and make no garbage.
 */
/** The permits of a key that are held, in the order in which they lapse. */
final class Holds {
    private static final int LAPSE = 1;
    private static final int LINKS = 2;
    private static final int ENTERED = 3;
    private static final int MIN_SLOTS = 4;
    private static final int WORDS_PER_KEY = 512 / Long.BYTES;
    private static final long MIXER = 0x9E3779B97F4A7C15L;

    /** The slot of the first hold if there is none. */
    static final int NONE = -1;

    /** How many words an entry has. */
    private final int step;

    private long[] words;
    private int size;
    private int first = NONE;
    private int last = NONE;

    /** @param timed whether it matters when a hold was entered */
    Holds(boolean timed) {
        step = timed ? ENTERED + 1 : ENTERED;
        words = new long[step * MIN_SLOTS];
    }

    int size() {
        return size;
    }

    /** How many additional keys it counts as: none at the smallest size, else one for each 512 bytes, rounded up. */
    int weight() {
        return slots() == MIN_SLOTS ? 0 : (words.length + WORDS_PER_KEY - 1) / WORDS_PER_KEY;
    }

    private int slots() {
        return words.length / step;
    }

    /** The slot of the hold that lapses first. */
    int first() {
        return first;
    }

    /** The slot of the hold that lapses next after the one in a slot. */
    int next(int slot) {
        return (int) words[step * slot + LINKS];
    }

    private int before(int slot) {
        return (int) (words[step * slot + LINKS] >> Integer.SIZE);
    }

    private void link(int slot, int before, int next) {
        words[step * slot + LINKS] = ((long) before << Integer.SIZE) | (next & 0xffff_ffffL);
    }

    long id(int slot) {
        return words[step * slot];
    }

    long lapse(int slot) {
        return words[step * slot + LAPSE];
    }

    private boolean isTimed() {
        return step > ENTERED;
    }

    /** The mark of the hold in a slot, with the time when it was entered; 0 if that does not matter. */
    long entered(int slot) {
        return isTimed() ? words[step * slot + ENTERED] : 0;
    }

    /** The latest lapse of all. For at least one hold. */
    long lastLapse() {
        return lapse(last);
    }

    /** The slot of a hold, or {@link #NONE}. */
    int find(long id) {
        int mask = slots() - 1;
        for (int slot = home(id); ; slot = slot + 1 & mask) {
            if (id(slot) == id) {
                return slot;
            } else if (id(slot) == 0) {
                return NONE;
            }
        }
    }

    private int home(long id) {
        return (int) ((id * MIXER) >>> Integer.SIZE) & slots() - 1;
    }

    /** Whether {@link #add} grows the table: at least a quarter of the slots stays free. */
    private boolean isFull() {
        return 4 * (size + 1) > 3 * slots();
    }

    /** Whether one more hold makes the table larger, if so many have not lapsed. */
    boolean wouldGrow(int live) {
        return isFull() && live == size;
    }

    /** Whether the table becomes smaller if one of that many holds ends. */
    boolean isSparse(int live) {
        return slots() > MIN_SLOTS && live - 1 < slots() / 8;
    }

    /**
     * Adds a hold.
     *
     * @param id not 0, and not the id of another hold
     */
    void add(long id, long lapse, long entered) {
        if (isFull()) {
            resize(2 * slots());
        }
        insert(id, lapse, entered);
    }

    private void insert(long id, long lapse, long entered) {
        int mask = slots() - 1;
        int slot = home(id);
        while (id(slot) != 0) {
            slot = slot + 1 & mask;
        }
        words[step * slot] = id;
        words[step * slot + LAPSE] = lapse;
        if (isTimed()) {
            words[step * slot + ENTERED] = entered;
        }
        linkByLapse(slot, lapse);
        size++;
    }

    private void linkByLapse(int slot, long lapse) {
        int before = last;
        while (before != NONE && lapse(before) > lapse) {
            before = before(before);
        }
        int next = before == NONE ? first : next(before);
        link(slot, before, next);
        relink(slot, before, next);
    }

    /** Makes the neighbours of a slot refer to it. */
    private void relink(int slot, int before, int next) {
        if (before == NONE) {
            first = slot;
        } else {
            link(before, before(before), slot);
        }
        if (next == NONE) {
            last = slot;
        } else {
            link(next, slot, next(next));
        }
    }

    private void unlink(int slot) {
        int before = before(slot);
        int next = next(slot);
        if (before == NONE) {
            first = next;
        } else {
            link(before, before(before), next);
        }
        if (next == NONE) {
            last = before;
        } else {
            link(next, before, next(next));
        }
    }

    /** Moves the lapse of a hold. */
    void renew(int slot, long lapse) {
        unlink(slot);
        words[step * slot + LAPSE] = lapse;
        linkByLapse(slot, lapse);
    }

    /** Removes the hold in a slot. Entries behind it move up, so that no search ends too early. */
    void remove(int slot) {
        unlink(slot);
        size--;
        int mask = slots() - 1;
        int gap = slot;
        for (int at = gap + 1 & mask; id(at) != 0; at = at + 1 & mask) {
            if ((at - home(id(at)) & mask) >= (at - gap & mask)) {
                System.arraycopy(words, step * at, words, step * gap, step);
                relink(gap, before(gap), next(gap));
                gap = at;
            }
        }
        words[step * gap] = 0;
    }

    /** Removes the holds that lapse at t or before. */
    void dropLapsed(long t) {
        while (first != NONE && lapse(first) <= t) {
            remove(first);
        }
    }

    /** Makes the table smaller if it is nearly empty. */
    void trim() {
        int slots = slots();
        while (slots > MIN_SLOTS && size < slots / 8) {
            slots /= 2;
        }
        if (slots < slots()) {
            resize(slots);
        }
    }

    private void resize(int slots) {
        Holds resized = new Holds(isTimed());
        resized.words = new long[step * slots];
        for (int slot = first; slot != NONE; slot = next(slot)) {
            resized.insert(id(slot), lapse(slot), entered(slot));
        }
        words = resized.words;
        first = resized.first;
        last = resized.last;
    }

    /**
     * Adds the holds of another key that have not lapsed.
     *
     * @param t the time, which is also when holds were entered of which that is not known
     */
    void addAll(Holds other, long t) {
        for (int slot = other.first; slot != NONE; slot = other.next(slot)) {
            if (other.lapse(slot) > t) {
                add(other.id(slot), other.lapse(slot), other.isTimed() ? other.entered(slot) : t << 1);
            }
        }
    }
}
