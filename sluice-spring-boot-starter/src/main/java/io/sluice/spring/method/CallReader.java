package io.sluice.spring.method;

import java.math.BigInteger;
import java.util.Map;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Reads the key and the permits of a call from its arguments. */
final class CallReader {
    private final AnnotatedMethod method;
    private final @Nullable CallExpression key;
    private final @Nullable CallExpression permits;

    CallReader(AnnotatedMethod method, @Nullable CallExpression key, @Nullable CallExpression permits) {
        this.method = method;
        this.key = key;
        this.permits = permits;
    }

    Call read(MethodInvocation invocation, Map<String, String> request) {
        return new Call(
                key == null ? null : requireText(key.value(invocation)),
                permits == null ? 1 : permits(permits.value(invocation)),
                request);
    }

    private @Nullable Object requireText(@Nullable Object value) {
        Class<?> type = KeyText.withoutText(value);
        if (type != null) {
            throw new IllegalArgumentException(
                    "@RateLimited on " + method + ": key: an object of " + type.getName()
                            + ", which has no toString() (expected: a value whose text is the same for the same key, such as #user.id)");
        }
        return value;
    }

    private long permits(@Nullable Object value) {
        long count = count(value);
        if (count < 0) {
            throw new IllegalArgumentException(
                    "@RateLimited on " + method + ": permits: " + value + " (expected: a whole number, at least 0)");
        }
        return count;
    }

    /** The number of permits; negative if the value is none. */
    static long count(@Nullable Object value) {
        if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        return value instanceof BigInteger big && big.bitLength() < Long.SIZE ? big.longValue() : -1;
    }
}
