package io.sluice.memory.keys;

import io.sluice.TimeSource;
import io.sluice.memory.state.DecisionTime;
import io.sluice.memory.state.KeyEntry;
import io.sluice.memory.state.KeyUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/*
 * The promise: while at most maxKeys keys have used more than a tenth of their limit ("heavy" keys), none of them is
 * evicted. A random sample cannot keep this promise. A sorted list of all keys could, but it would cost memory for every
 * key and time for every request.
 *
 * So the evictor scans all keys, some at each eviction, and keeps the best candidates. A light key may be evicted without
 * proof. A heavy key may be evicted only if more than maxKeys keys are proven to be heavy, that is, if fewer keys are light
 * than there are keys too many. This is known of every counted key:
 *
 * - The last complete scan met it, or it was added since that scan began: such keys are in the list of changed keys. Then it
 *   was heavy, or it is a candidate, or the candidates were all light and had no space left. In the last case nothing is
 *   proven until the next scan.
 * - If it was heavy, it is known when it becomes light without other requests (HeavyKeyForecast). Keys that get permits back
 *   are in the list of changed keys. After an update of a limit, the scan begins again.
 * - If another thread had locked it, it counts as light.
 *
 * Without proof the evictor does nothing. The store then has some keys too many until the scan has come far enough. The
 * first scan begins before the store is full, and each scan ends before the candidates of the previous one are used up. So
 * in a flood an eviction scans KEYS_PER_EVICTION keys, whatever the size of the store. It scans more keys only if nearly all
 * keys are heavy and many of them become light unseen.
 *
 * A new key is judged after its first use. So a light key that comes to a store full of heavy keys is evicted itself.
 */
/** Evicts keys from a full store: those that have used the least of their limit. Not thread-safe, unless a method says so. */
final class Evictor {
    /** How many keys an eviction scans. With this number, a scan ends before the last scan's candidates are used up. */
    private static final int KEYS_PER_EVICTION = 20;

    private static final int KEYS_PER_CANDIDATE = 16;
    private static final int MIN_CANDIDATES = 4096;

    /** How many keys one caller scans at most, and how many between two attempts to evict. */
    private static final int MAX_KEYS_PER_CALL = 4096;

    private static final int KEYS_PER_ATTEMPT = 256;

    /** A store of up to this size never tolerates keys above the maximum: a caller can scan all keys. */
    private static final long SMALL_STORE = 4096;

    /** A larger store tolerates one key too many for each 64 keys. */
    private static final long KEYS_PER_TOLERATED_KEY = 64;

    private static final int MAX_EVICTIONS_PER_CALL = 4;
    private static final int MAX_CONVERSIONS = 8;

    /** A key that was added, or that has used less than before. */
    private record ChangedKey(KeyTable table, String key) {}

    private final Queue<KeyTable> tables;
    private final KeyCount count;
    private final TimeSource time;
    private final FairShare fairShare;
    private final int maxCandidates;
    private final Queue<ChangedKey> changedKeys = new ConcurrentLinkedQueue<>();

    /** Whether changed keys are collected. Set before the first scan begins, so that the scan meets the earlier ones. */
    private volatile boolean collecting;

    /** Whether a scan has begun since. */
    private boolean scanning;

    private volatile boolean limitsChanged;

    /** The candidates of the last complete scan. */
    private @Nullable EvictionCandidates lastScan;

    /** The candidates of the scan in progress. */
    private EvictionCandidates currentScan;

    private KeyScan scan;

    /** How many keys were ever added when the changed keys were read. */
    private long everAdded;

    /** How many changed keys are still locked by other threads. */
    private long unseen;

    private DecisionTime moment;
    private long now;
    private long numbers;

    Evictor(Queue<KeyTable> tables, KeyCount count, TimeSource time) {
        this.tables = tables;
        this.count = count;
        this.time = time;
        this.fairShare = new FairShare(tables, count.max());
        this.maxCandidates =
                (int) Math.min(Integer.MAX_VALUE, Math.max(MIN_CANDIDATES, count.max() / KEYS_PER_CANDIDATE));
        this.moment = new DecisionTime(time);
        this.currentScan = new EvictionCandidates(maxCandidates, fairShare, now);
        this.scan = new KeyScan(tables);
    }

    /** To be called when a key was added, before it is counted, or when it has used less than before. Thread-safe. */
    void keyChanged(KeyTable table, String key) {
        if (!collecting && count.isNearlyFull()) {
            collecting = true;
        }
        if (collecting) {
            changedKeys.add(new ChangedKey(table, key));
        }
    }

    /** Whether a caller should call {@link #makeRoom} to process changed keys. Thread-safe. */
    boolean hasChangedKeys() {
        return !changedKeys.isEmpty();
    }

    /** To be called after an update: a key that was heavy under the old limit may be light. Thread-safe. */
    void limitsChanged() {
        limitsChanged = true;
    }

    /** Forgets everything, when the store has space again. */
    void reset() {
        collecting = false;
        scanning = false;
        lastScan = null;
        currentScan = new EvictionCandidates(maxCandidates, fairShare, now);
        changedKeys.clear();
    }

    /** Evicts the keys that are too many, or some of them. */
    void makeRoom() {
        readTime();
        if (!scanning || limitsChanged) {
            limitsChanged = false;
            collecting = true;
            scanning = true;
            lastScan = null;
            beginScan();
        }
        everAdded = count.everAdded();
        processChangedKeys();
        if (lastScan == null) {
            scanKeys(KEYS_PER_EVICTION);
        }
        for (int i = 0; i < MAX_EVICTIONS_PER_CALL && excess() > 0; i++) {
            if (!evictOne()) {
                return;
            }
        }
    }

    /** How many of the known keys are too many. */
    private long excess() {
        return count.excess(everAdded);
    }

    private void readTime() {
        moment = new DecisionTime(time);
        now = time.micros();
    }

    private void beginScan() {
        currentScan = new EvictionCandidates(maxCandidates, fairShare, now);
        scan = new KeyScan(tables);
    }

    private void processChangedKeys() {
        List<ChangedKey> locked = new ArrayList<>();
        for (ChangedKey next = changedKeys.poll(); next != null; next = changedKeys.poll()) {
            KeyTable table = next.table();
            KeyEntry entry = table.entries.get(next.key());
            KeyUsage usage = entry == null ? null : usage(table, next.key(), entry);
            if (usage != null) {
                if (lastScan != null) {
                    note(lastScan, table, next.key(), usage);
                }
                note(currentScan, table, next.key(), usage);
            } else if (table.entries.containsKey(next.key())) {
                locked.add(next);
            }
        }
        unseen = locked.size();
        changedKeys.addAll(locked);
    }

    /** Evicts a key if possible. Returns true if it did, or if it is no longer necessary. */
    private boolean evictOne() {
        if (fairShare.update()) {
            currentScan.updateFairShare();
            if (lastScan != null) {
                lastScan.updateFairShare();
            }
        }
        int scanned = scanKeys(KEYS_PER_EVICTION);
        while (excess() > 0) {
            EvictionCandidates candidates =
                    lastScan != null && lastScan.isBetterThan(currentScan) ? lastScan : currentScan;
            EvictionCandidate best = candidates.first();
            if (best != null && (best.isLight() || mayEvictHeavyKey())) {
                if (candidates.isInOrder()) {
                    candidates.removeFirst();
                    if (evict(best, candidates)) {
                        return true;
                    }
                }
            } else if (scanned >= MAX_KEYS_PER_CALL || isExcessTolerable()) {
                return false;
            } else {
                scanned += scanKeys(KEYS_PER_ATTEMPT);
            }
        }
        return true;
    }

    /** Whether so few keys are too many that eviction can wait for the scan. Each caller continues the scan a little. */
    private boolean isExcessTolerable() {
        return count.max() > SMALL_STORE && excess() < count.max() / KEYS_PER_TOLERATED_KEY;
    }

    /** Whether more keys than the maximum are proven to be heavy. */
    private boolean mayEvictHeavyKey() {
        return lastScan != null && lastScan.unknownLight(now) < excess() - unseen;
    }

    /** Evicts a key that was removed from these candidates, unless it has used more since. */
    private boolean evict(EvictionCandidate candidate, EvictionCandidates candidates) {
        KeyTable table = candidate.table();
        String key = candidate.key();
        KeyEntry entry = table.entries.get(key);
        KeyUsage usage = entry == null ? null : usage(table, key, entry);
        if (usage != null) {
            if (candidate.isBefore(usage)) {
                note(candidates, table, key, usage);
                return false;
            }
            if (table.evict(key, usage, moment)) {
                return true;
            }
        }
        if (table.entries.containsKey(key)) {
            // Another thread has locked it. Its use may be anything afterwards.
            changedKeys.add(new ChangedKey(table, key));
            unseen++;
        }
        return false;
    }

    /** Continues the scan by that many keys, or to its end. Returns how many keys it scanned, at least 1. */
    private int scanKeys(int keys) {
        for (int i = 0; i < keys; i++) {
            KeyScan.Item item = scan.next();
            if (item == null) {
                lastScan = currentScan;
                beginScan();
                return i + 1;
            }
            KeyUsage usage = usage(item.table(), item.key(), item.entry());
            if (usage != null) {
                note(currentScan, item.table(), item.key(), usage);
            } else if (item.table().entries.containsKey(item.key())) {
                currentScan.noteHeavy(now);
            }
        }
        return keys;
    }

    private void note(EvictionCandidates candidates, KeyTable table, String key, KeyUsage usage) {
        if (!usage.isLight()) {
            candidates.noteHeavy(now + usage.timeUntilLight());
        }
        candidates.add(table, key, usage, numbers++);
    }

    /** The use of a key under the newest limit. Null if the key was removed, or another thread has locked it. */
    private @Nullable KeyUsage usage(KeyTable table, String key, KeyEntry met) {
        KeyEntry entry = met;
        for (int i = 0; i < MAX_CONVERSIONS && entry != null; i++) {
            boolean old = entry.active.next() != null || table.isRetired();
            if (old) {
                table.sweep(key, entry);
            }
            KeyUsage usage = old ? null : entry.usage(moment);
            if (usage != null) {
                return usage;
            }
            entry = table.entries.get(key);
        }
        return null;
    }
}
