package io.sluice.http;

import io.sluice.Limit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/*
 * Every response has the items of the same few policies. To write their constant part again each time costs more than all the rest of
 * the headers. A text is found by the name of the policy and its limit, so that a changed limit never finds the old text. A policy
 * has more than one limit if it has overrides.
 *
 * Both numbers are bounds of memory only: what is not remembered is written again.
 */
/** Remembers the texts of policies. Thread-safe. */
final class ItemTexts {
    static final int MAX_POLICIES = 4096;
    static final int MAX_LIMITS = 8;

    private final Map<String, ItemText[]> byPolicy = new ConcurrentHashMap<>();

    /** The text of a policy with this limit at a time, in microseconds since the epoch. */
    ItemText of(String policy, Limit limit, long micros) {
        ItemText[] known = byPolicy.get(policy);
        if (known != null) {
            for (ItemText text : known) {
                if (text.isFor(limit, micros)) {
                    return text;
                }
            }
        }
        ItemText text = ItemText.of(policy, limit, micros);
        if (known != null || byPolicy.size() < MAX_POLICIES) {
            byPolicy.put(policy, known == null ? new ItemText[] {text} : newestFirst(text, known));
        }
        return text;
    }

    private static ItemText[] newestFirst(ItemText text, ItemText[] known) {
        ItemText[] all = new ItemText[Math.min(MAX_LIMITS, known.length + 1)];
        all[0] = text;
        System.arraycopy(known, 0, all, 1, all.length - 1);
        return all;
    }

    /** How many texts are remembered. */
    int size() {
        return byPolicy.values().stream().mapToInt(texts -> texts.length).sum();
    }
}
