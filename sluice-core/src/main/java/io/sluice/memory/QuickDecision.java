package io.sluice.memory;

import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Decisions;
import io.sluice.Limit;
import io.sluice.TimeSource;
import io.sluice.exact.Exact;
import io.sluice.memory.keys.Space;
import io.sluice.memory.state.AtomicBucket;
import io.sluice.spi.LimitChangedException;
import io.sluice.spi.PolicyCharge;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * Most requests are charged on greedy token buckets that are known already, each of another limiter, and such a bucket is
 * one word. So all words are held, in the order of the limiters, read and judged at one moment, and written; nothing is
 * made for a key but its decision. Whatever is not like that goes the long way, JointDecision, which decides the same.
 */
/** Charges on buckets that are single words, decided together. */
final class QuickDecision {
    private static final int MOST = 16;

    private QuickDecision() {}

    /** The answer, or null if the charges are not of that kind; then nothing was done. */
    static @Nullable Decisions decide(MemoryStore store, List<Charge> charges, TimeSource time) {
        int n = charges.size();
        if (n == 0 || n > MOST) {
            return null;
        }
        long enforcements = store.enforcements();
        AtomicBucket[] buckets = new AtomicBucket[n];
        int last = -1;
        boolean inOrder = true;
        for (int i = 0; i < n; i++) {
            Charge charge = charges.get(i);
            MemoryChargeable limiter = store.limiterOf(charge);
            Space[] spaces = limiter.spaces();
            if (spaces.length != 1
                    || !(spaces[0].cells.get(limiter.kept(charge.key())) instanceof AtomicBucket bucket)
                    || (charge.limit() != null && !bucket.terms.isOf(charge.limit()))) {
                return null;
            }
            buckets[i] = bucket;
            inOrder &= last < spaces[0].id;
            last = spaces[0].id;
        }
        int[] order = inOrder ? null : order(store, charges);
        boolean twice = order != null && order.length == 0;
        return twice ? null : decide(store, enforcements, charges, buckets, order, time);
    }

    /** In which order to hold them; empty if a limiter is there twice. */
    private static int[] order(MemoryStore store, List<Charge> charges) {
        int n = charges.size();
        int[] ids = new int[n];
        int[] order = new int[n];
        for (int i = 0; i < n; i++) {
            ids[i] = store.limiterOf(charges.get(i)).spaces()[0].id;
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
        // First all words, then what is in use.
        long[] words = new long[2 * n];
        for (int k = 0; k < n; k++) {
            int i = order == null ? k : order[k];
            AtomicBucket bucket = buckets[i];
            words[i] = bucket.seize();
            if (words[i] < 0) {
                putBack(buckets, words, order, k);
                return null;
            }
            Limit expected = PolicyCharge.expected(charges.get(i));
            if (expected != null && !expected.equals(bucket.terms.limit)) {
                putBack(buckets, words, order, k + 1);
                if (!isInForce(store, enforcements)) {
                    return null;
                }
                throw new LimitChangedException(charges.get(i).limiter().name(), expected);
            }
        }
        if (!isInForce(store, enforcements)) {
            putBack(buckets, words, order, n);
            return null;
        }
        long now;
        try {
            now = buckets[0].now(time);
        } catch (RuntimeException | Error e) {
            putBack(buckets, words, order, n);
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
                words[n + i] += permits * buckets[i].terms.permit;
                words[i] = buckets[i].word(words[n + i], now);
            }
            buckets[i].put(words[i]);
        }
        Decision[] each = new Decision[n];
        for (int i = 0; i < n; i++) {
            Charge charge = charges.get(i);
            each[i] = buckets[i].decision(
                    (denials & 1 << i) == 0, charge.permits(), PolicyCharge.kept(charge), words[n + i]);
        }
        return new Decisions(allowed, List.of(each));
    }

    /** Whether no limits have been put in force since, nor are being: then all buckets are under those of one moment. */
    private static boolean isInForce(MemoryStore store, long enforcements) {
        return (enforcements & 1) == 0 && enforcements == store.enforcements();
    }

    private static void putBack(AtomicBucket[] buckets, long[] words, int @Nullable [] order, int held) {
        for (int k = 0; k < held; k++) {
            int i = order == null ? k : order[k];
            buckets[i].put(words[i]);
        }
    }
}
