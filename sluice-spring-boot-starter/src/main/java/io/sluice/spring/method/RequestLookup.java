package io.sluice.spring.method;

import io.sluice.spring.web.RequestScope;
import java.lang.reflect.Method;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the HTTP request that a call is part of. */
interface RequestLookup {
    /** Finds none: the application answers no requests. */
    RequestLookup NONE = arguments -> Map.of();

    /**
     * The attributes of the request; empty if there is none, or no filter has decided it.
     *
     * @param arguments the arguments of the call
     */
    Map<String, String> attributes(@Nullable Object[] arguments);

    /** Whether it can find the request for calls of a method. */
    default boolean canFindFor(Method method) {
        return true;
    }

    /** The scope of the request that this thread answers; null if there is none. */
    default @Nullable RequestScope scope() {
        return null;
    }
}
