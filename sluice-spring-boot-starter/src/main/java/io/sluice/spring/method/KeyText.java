package io.sluice.spring.method;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ObjectUtils;

/** The text of a key. Different keys have different texts. */
final class KeyText {
    /** Whether a class has a text of its own: that of {@code Object} is another one for each object. */
    private static final ClassValue<Boolean> HAS_TEXT = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            try {
                return type.getMethod("toString").getDeclaringClass() != Object.class;
            } catch (NoSuchMethodException e) {
                return true;
            }
        }
    };

    private KeyText() {}

    /** The text of a value, or of the values of a list or an array; null if a value is null or an empty {@code Optional}. */
    static @Nullable String of(@Nullable Object key) {
        if (key == null || key instanceof String) {
            return (String) key;
        }
        if (key instanceof Optional<?> optional) {
            return of(optional.orElse(null));
        }
        Collection<?> values = values(key);
        return values == null ? key.toString() : join(values);
    }

    private static @Nullable Collection<?> values(Object key) {
        if (key.getClass().isArray()) {
            return Arrays.asList(ObjectUtils.toObjectArray(key));
        }
        return key instanceof Collection<?> values ? values : null;
    }

    private static @Nullable String join(Collection<?> values) {
        StringJoiner joined = new StringJoiner(",");
        for (Object value : values) {
            String text = of(value);
            if (text == null) {
                return null;
            }
            joined.add(text.replace("\\", "\\\\").replace(",", "\\,"));
        }
        return joined.toString();
    }

    /**
     * A class in a key whose objects have no text that says which one it is, such as {@code User@1f2e3d}; null if there is none. Each call
     * would have a key of its own, and would not be limited.
     */
    static @Nullable Class<?> withoutText(@Nullable Object key) {
        if (key == null || key instanceof String) {
            return null;
        }
        if (key instanceof Optional<?> optional) {
            return withoutText(optional.orElse(null));
        }
        Collection<?> values = key instanceof Map<?, ?> map ? map.values() : values(key);
        if (values == null) {
            return HAS_TEXT.get(key.getClass()) ? null : key.getClass();
        }
        for (Object value : values) {
            Class<?> found = withoutText(value);
            if (found != null) {
                return found;
            }
        }
        return null;
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
