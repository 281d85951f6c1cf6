package io.sluice.policy;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Finds what someone meant who mistyped a word. */
public final class Suggestion {
    private static final int FARTHEST = 2;

    private Suggestion() {}

    /** The word that the fewest changes of a letter make of it; null if none is near. */
    public static @Nullable String to(String typed, Collection<String> words) {
        String nearest = null;
        int least = FARTHEST + 1;
        for (String word : words) {
            // A short word is near to everything: half of its letters must be right.
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

    /** How many letters must be put in, left out or replaced to make one of the other. */
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
