package io.sluice.spring.method;

import java.util.Arrays;
import java.util.Collection;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The text of a key. Different keys have different texts. */
final class KeyText {
    private KeyText() {}

    /** The text of a value, or of the values of a list; null if a value is null. */
    static @Nullable String of(@Nullable Object key) {
        if (key instanceof Object[] array) {
            return join(Arrays.asList(array));
        }
        if (key instanceof Collection<?> values) {
            return join(values);
        }
        return key == null ? null : key.toString();
    }

    private static @Nullable String join(Collection<?> values) {
        StringJoiner text = new StringJoiner(",");
        for (Object value : values) {
            if (value == null) {
                return null;
            }
            text.add(value.toString().replace("\\", "\\\\").replace(",", "\\,"));
        }
        return text.toString();
    }

    /** The key of a limiter in the call limiter that all limiters share. The name has no spaces. */
    static String of(String limiter, String key) {
        return limiter + " " + key;
    }

    /** Whether a text can be the name of a limiter. */
    static boolean isName(String text) {
        return !text.isEmpty() && text.chars().noneMatch(Character::isWhitespace);
    }
}
