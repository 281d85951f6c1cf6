package io.sluice.spring.method;

import io.sluice.spring.web.RequestScope;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the HTTP request that this thread answers. */
interface RequestLookup {
    /** The attributes; empty if there is no request, or no filter has decided it. */
    Map<String, String> attributes();

    /** The scope of the request; null if there is none. */
    default @Nullable RequestScope scope() {
        return null;
    }
}
