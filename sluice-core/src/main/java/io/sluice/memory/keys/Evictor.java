package io.sluice.memory.keys;

import io.sluice.TimeSource;
import io.sluice.memory.state.Cell;
import io.sluice.memory.state.Moment;
import io.sluice.memory.state.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/*
 * The promise: while no more than maxKeys keys have used more than a tenth of their limit ("heavy" ones), none of them is
 * evicted. A sample cannot keep it. An order of all keys could, but would cost every key memory and every use time.
 *
 * So light keys are found by going round all keys, some steps for each eviction, and remembering the best. That a light key
 * goes needs no proof. A heavy key goes only if it is known that more than maxKeys are heavy, that is, that fewer keys
 * are light than there are keys too many. What is known of every key that is counted:
 *
 * - It was met by the latest whole round, or it arrived since that round began: arrivals are told. Then it was heavy, or it
 *   is among the candidates, or the stock was full of light ones (and nothing is proven until the next round).
 * - If it was heavy then, it is known when it becomes light by itself (Dwindling). Those that were given something back
 *   are told as arrivals; after an update of a limit, the round begins anew.
 * - If it could not be looked at because somebody held it, it counts as light.
 *
 * What cannot be proven is not done: the store then has some keys too many until the round has gone far enough. The first
 * round begins before the store is full, and each ends before its predecessor's candidates are used up; so in a flood an
 * eviction costs LOOKS steps, whatever the number of keys. Only where nearly all keys are heavy and many of them become
 * light unseen, more steps are made at once.
 *
 * New keys are judged after they were used: so a light one that comes to a store full of heavy ones goes itself.
 */
/** Chooses the keys that make room in a full store: those that have used the least of their limit. Not thread-safe. */
final class Evictor {
    /** How many keys an eviction looks at: a round ends before the stock of the last one does. */
    private static final int LOOKS = 20;

    private static final int KEYS_FOR_ONE_CANDIDATE = 16;
    private static final int FEWEST_CANDIDATES = 4096;

    /** How many keys are looked at before it is left to the next caller, and in one go. */
    private static final int MOST_LOOKS = 4096;

    private static final int SOME_LOOKS = 256;

    /** Below that many keys, there is never one too many for longer than it takes to look at all. */
    private static final long SMALL = 4096;

    private static final long KEYS_FOR_ONE_TOO_MANY = 64;
    private static final int MOST_AT_ONCE = 4;
    private static final int CONVERSIONS = 8;

    /** A key that came, or has used less than before. */
    private record Arrival(Space space, String key) {}

    private final Queue<Space> spaces;
    private final KeyCount count;
    private final TimeSource time;
    private final FairShare fairShare;
    private final int candidates;
    private final Queue<Arrival> arrivals = new ConcurrentLinkedQueue<>();

    /** Whether arrivals are to be told. Set before the first round begins, so that it meets those that were not. */
    private volatile boolean watching;

    /** Whether a round has begun since. */
    private boolean looking;

    private volatile boolean limitsChanged;

    /** Of the latest whole round. */
    private @Nullable Stock known;

    /** Of the round that is being made. */
    private Stock found;

    private Round round;

    /** How many keys had come when arrivals were heard. */
    private long come;

    /** How many arrivals could not be looked at yet. */
    private long unseen;

    private Moment moment;
    private long now;
    private long numbers;

    Evictor(Queue<Space> spaces, KeyCount count, TimeSource time) {
        this.spaces = spaces;
        this.count = count;
        this.time = time;
        this.fairShare = new FairShare(spaces, count.max());
        this.candidates =
                (int) Math.min(Integer.MAX_VALUE, Math.max(FEWEST_CANDIDATES, count.max() / KEYS_FOR_ONE_CANDIDATE));
        this.moment = new Moment(time);
        this.found = new Stock(candidates, fairShare, now);
        this.round = new Round(spaces);
    }

    /** Tells of a key that came, before it is counted, or that has used less than before. Thread-safe. */
    void arrived(Space space, String key) {
        if (!watching && count.isNearlyFull()) {
            watching = true;
        }
        if (watching) {
            arrivals.add(new Arrival(space, key));
        }
    }

    /** Whether somebody should call {@link #makeRoom} to hear of arrivals. Thread-safe. */
    boolean hasArrivals() {
        return !arrivals.isEmpty();
    }

    /** What was heavy under the old limit may be light. Thread-safe. */
    void limitsChanged() {
        limitsChanged = true;
    }

    /** Forgets everything, when there is room again. */
    void rest() {
        watching = false;
        looking = false;
        known = null;
        found = new Stock(candidates, fairShare, now);
        arrivals.clear();
    }

    /** Evicts as many keys as there are too many, or some of them. */
    void makeRoom() {
        readTime();
        if (!looking || limitsChanged) {
            limitsChanged = false;
            watching = true;
            looking = true;
            known = null;
            begin();
        }
        come = count.come();
        hearArrivals();
        if (known == null) {
            look(LOOKS);
        }
        for (int i = 0; i < MOST_AT_ONCE && tooMany() > 0; i++) {
            if (!evictOne()) {
                return;
            }
        }
    }

    /** How many keys that are known are too many. */
    private long tooMany() {
        return count.tooMany(come);
    }

    private void readTime() {
        moment = new Moment(time);
        now = time.micros();
    }

    private void begin() {
        found = new Stock(candidates, fairShare, now);
        round = new Round(spaces);
    }

    private void hearArrivals() {
        List<Arrival> held = new ArrayList<>();
        for (Arrival next = arrivals.poll(); next != null; next = arrivals.poll()) {
            Space space = next.space();
            Cell cell = space.cells.get(next.key());
            Standing standing = cell == null ? null : standing(space, next.key(), cell);
            if (standing != null) {
                if (known != null) {
                    note(known, space, next.key(), standing);
                }
                note(found, space, next.key(), standing);
            } else if (space.cells.containsKey(next.key())) {
                held.add(next);
            }
        }
        unseen = held.size();
        arrivals.addAll(held);
    }

    /** Drops a key if it can; whether it did, or need not any more. */
    private boolean evictOne() {
        if (fairShare.follow()) {
            found.follow();
            if (known != null) {
                known.follow();
            }
        }
        int looks = look(LOOKS);
        while (tooMany() > 0) {
            Stock stock = known != null && known.isBetterThan(found) ? known : found;
            Candidate best = stock.first();
            if (best != null && (best.isLight() || mayGo())) {
                if (stock.isInOrder()) {
                    stock.removeFirst();
                    if (evict(best, stock)) {
                        return true;
                    }
                }
            } else if (looks >= MOST_LOOKS || isBearable()) {
                return false;
            } else {
                looks += look(SOME_LOOKS);
            }
        }
        return true;
    }

    /** Whether so few are too many that it can wait for the round, which each caller takes some steps further. */
    private boolean isBearable() {
        return count.max() > SMALL && tooMany() < count.max() / KEYS_FOR_ONE_TOO_MANY;
    }

    /** Whether a heavy key may go: more than the store may hold are heavy. */
    private boolean mayGo() {
        return known != null && known.unknownLight(now) < tooMany() - unseen;
    }

    /** Drops a key that was taken from that stock, unless it has used more since. */
    private boolean evict(Candidate candidate, Stock stock) {
        Space space = candidate.space();
        String key = candidate.key();
        Cell cell = space.cells.get(key);
        Standing standing = cell == null ? null : standing(space, key, cell);
        if (standing != null) {
            if (candidate.isBefore(standing)) {
                note(stock, space, key, standing);
                return false;
            }
            if (space.evict(key, standing, moment)) {
                return true;
            }
        }
        if (space.cells.containsKey(key)) {
            // In use right now: it may be anything afterwards.
            arrivals.add(new Arrival(space, key));
            unseen++;
        }
        return false;
    }

    /** Goes on with the round by so many keys, or up to its end; how many it looked at, at least 1. */
    private int look(int keys) {
        for (int i = 0; i < keys; i++) {
            Round.Stop stop = round.next();
            if (stop == null) {
                known = found;
                begin();
                return i + 1;
            }
            Standing standing = standing(stop.space(), stop.key(), stop.cell());
            if (standing != null) {
                note(found, stop.space(), stop.key(), standing);
            } else if (stop.space().cells.containsKey(stop.key())) {
                found.noteHeavy(now);
            }
        }
        return keys;
    }

    private void note(Stock stock, Space space, String key, Standing standing) {
        if (!standing.isLight()) {
            stock.noteHeavy(now + standing.lightIn());
        }
        stock.add(space, key, standing, numbers++);
    }

    /** How a key stands, under the newest terms; null if it is gone, or somebody holds it. */
    private @Nullable Standing standing(Space space, String key, Cell met) {
        Cell cell = met;
        for (int i = 0; i < CONVERSIONS && cell != null; i++) {
            boolean old = cell.terms.next() != null || space.isRetired();
            if (old) {
                space.sweep(key, cell);
            }
            Standing standing = old ? null : cell.standing(moment);
            if (standing != null) {
                return standing;
            }
            cell = space.cells.get(key);
        }
        return null;
    }
}
