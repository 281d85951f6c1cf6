package io.sluice.spi;

import io.sluice.Limit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A cache of fixed size for values that a store derives from the limits of a {@link io.sluice.CallLimiter}. A newer limit
 * replaces an older one with the same hash. Thread-safe.
 *
 * @param <T> the derived value
 */
public final class RecentLimits<T> {
    private static final int SIZE = 1 << 10;

    private record Entry<T>(Limit limit, T value) {}

    private final Function<Limit, T> derive;
    private final AtomicReferenceArray<@Nullable Entry<T>> entries = new AtomicReferenceArray<>(SIZE);

    public RecentLimits(Function<Limit, T> derive) {
        this.derive = derive;
    }

    /** The value for a limit. Not always the same object for equal limits. */
    public T get(Limit limit) {
        int hash = limit.hashCode();
        int index = (hash ^ (hash >>> 16)) & (SIZE - 1);
        Entry<T> known = entries.get(index);
        if (known != null && (known.limit == limit || known.limit.equals(limit))) {
            return known.value;
        }
        T value = derive.apply(limit);
        entries.set(index, new Entry<>(limit, value));
        return value;
    }
}
