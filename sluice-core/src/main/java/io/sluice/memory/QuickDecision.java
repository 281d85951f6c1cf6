package io.sluice.memory;

import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Decisions;
import io.sluice.Limit;
import io.sluice.TimeSource;
import io.sluice.exact.Exact;
import io.sluice.memory.keys.KeyTable;
import io.sluice.memory.state.AtomicBucket;
import io.sluice.spi.LimitChangedException;
import io.sluice.spi.PolicyCharge;
import io.sluice.spi.Taking;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * Most requests charge existing greedy token buckets of different limiters, and such a bucket is one word. So all words
 * are locked, in the order of the limiters, judged at one moment, and written. The only object made for a key is its
 * decision. All other requests are decided by JointDecision, with the same result.
 */
/** The fast path for charges on several {@link AtomicBucket}s, decided together. */
final class QuickDecision {
    private static final int MAX_CHARGES = 16;

    private QuickDecision() {}

    /** Decides the charges. Does nothing and returns null if they do not fit the fast path. */
    static @Nullable Decisions decide(MemoryStore store, List<Charge> charges, TimeSource time) {
        int n = charges.size();
        if (n == 0 || n > MAX_CHARGES) {
            return null;
        }
        long enforcements = store.enforcements();
        AtomicBucket[] buckets = new AtomicBucket[n];
        int last = -1;
        boolean inOrder = true;
        for (int i = 0; i < n; i++) {
            Charge charge = charges.get(i);
            if (!(charge.limiter() instanceof MemoryChargeable limiter)
                    || limiter.store() != store
                    || PolicyCharge.taking(charge) != Taking.IF_ADMITTED) {
                return null;
            }
            KeyTable[] tables = limiter.tables();
            if (tables.length != 1
                    || !(tables[0].entries.get(limiter.storedKey(charge.key())) instanceof AtomicBucket bucket)
                    || (charge.limit() != null && !bucket.active.isFor(charge.limit()))) {
                return null;
            }
            buckets[i] = bucket;
            inOrder &= last < tables[0].id;
            last = tables[0].id;
        }
        int[] order = inOrder ? null : order(store, charges);
        boolean twice = order != null && order.length == 0;
        return twice ? null : decide(store, enforcements, charges, buckets, order, time);
    }

    /** The order in which to lock the buckets. Empty if two charges are on the same limiter. */
    private static int[] order(MemoryStore store, List<Charge> charges) {
        int n = charges.size();
        int[] ids = new int[n];
        int[] order = new int[n];
        for (int i = 0; i < n; i++) {
            ids[i] = store.limiterOf(charges.get(i)).tables()[0].id;
            int at = i;
            for (; at > 0 && ids[order[at - 1]] >= ids[i]; at--) {
                if (ids[order[at - 1]] == ids[i]) {
                    return new int[0];
                }
                order[at] = order[at - 1];
            }
            order[at] = i;
        }
        return order;
    }

    private static @Nullable Decisions decide(
            MemoryStore store,
            long enforcements,
            List<Charge> charges,
            AtomicBucket[] buckets,
            int @Nullable [] order,
            TimeSource time) {
        int n = buckets.length;
        // The first half holds the words, the second half the units in use.
        long[] words = new long[2 * n];
        for (int k = 0; k < n; k++) {
            int i = order == null ? k : order[k];
            AtomicBucket bucket = buckets[i];
            words[i] = bucket.lockWord();
            if (words[i] < 0) {
                unlock(buckets, words, order, k);
                return null;
            }
            Limit expected = PolicyCharge.expected(charges.get(i));
            if (expected != null && !expected.equals(bucket.active.limit)) {
                unlock(buckets, words, order, k + 1);
                if (!isUnchanged(store, enforcements)) {
                    return null;
                }
                throw new LimitChangedException(charges.get(i).limiter().name(), expected);
            }
        }
        if (!isUnchanged(store, enforcements)) {
            unlock(buckets, words, order, n);
            return null;
        }
        long now;
        try {
            now = buckets[0].now(time);
        } catch (RuntimeException | Error e) {
            unlock(buckets, words, order, n);
            throw e;
        }
        boolean allowed = true;
        int denials = 0;
        for (int i = 0; i < n; i++) {
            Charge charge = charges.get(i);
            long used = buckets[i].used(words[i], now);
            words[n + i] = used;
            if (!buckets[i].fits(Exact.sum(charge.permits(), PolicyCharge.kept(charge)), used)) {
                denials |= 1 << i;
                allowed &= PolicyCharge.isShadow(charge);
            }
        }
        for (int i = 0; i < n; i++) {
            long permits = charges.get(i).permits();
            if (allowed && permits > 0 && (denials & 1 << i) == 0) {
                words[n + i] += permits * buckets[i].active.unitsPerPermit;
                words[i] = buckets[i].word(words[n + i], now);
            }
            buckets[i].unlockWord(words[i]);
        }
        Decision[] each = new Decision[n];
        for (int i = 0; i < n; i++) {
            Charge charge = charges.get(i);
            each[i] = buckets[i].decision(
                    (denials & 1 << i) == 0, charge.permits(), PolicyCharge.kept(charge), words[n + i]);
        }
        return new Decisions(allowed, List.of(each));
    }

    /** Whether {@link MemoryStore#enforce} has changed nothing since: then all buckets have limits of the same moment. */
    private static boolean isUnchanged(MemoryStore store, long enforcements) {
        return (enforcements & 1) == 0 && enforcements == store.enforcements();
    }

    private static void unlock(AtomicBucket[] buckets, long[] words, int @Nullable [] order, int count) {
        for (int k = 0; k < count; k++) {
            int i = order == null ? k : order[k];
            buckets[i].unlockWord(words[i]);
        }
    }
}
