package io.sluice.policy;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Suggests the right word for a mistyped one. The service and the command line use it too. */
public final class Suggestion {
    private static final int MAX_DISTANCE = 2;

    private Suggestion() {}

    /** The word with the smallest edit distance; null if the distance of all words is more than 2. */
    public static @Nullable String nearest(String typed, Collection<String> words) {
        String nearest = null;
        int least = MAX_DISTANCE + 1;
        for (String word : words) {
            // Short words are near to everything: at least half of the letters must be right.
            int most = Math.min(least - 1, word.length() / 2);
            if (Math.abs(word.length() - typed.length()) <= most) {
                int distance = distance(typed, word);
                if (distance <= most) {
                    nearest = word;
                    least = distance;
                }
            }
        }
        return nearest;
    }

    /** The Levenshtein distance. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
