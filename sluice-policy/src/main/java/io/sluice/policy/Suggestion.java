package io.sluice.policy;

import io.sluice.exact.Spelling;
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
                int distance = Spelling.distance(typed, word);
                if (distance <= most) {
                    nearest = word;
                    least = distance;
                }
            }
        }
        return nearest;
    }
}
