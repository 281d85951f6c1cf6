package io.sluice.spring.method;

import io.sluice.spring.web.RequestScope;
import java.lang.reflect.Method;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the HTTP request that a call is part of. */
interface RequestLookup {
    /** The attributes if there is no request, or no filter has seen it. */
    Map<String, String> NO_REQUEST = Map.of();

    /** Finds none: the application answers no requests. */
    RequestLookup NONE = arguments -> RequestLookup.NO_REQUEST;

    /**
     * The attributes of the request; {@link #NO_REQUEST} if there is none.
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
