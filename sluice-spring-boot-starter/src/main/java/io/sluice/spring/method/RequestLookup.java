package io.sluice.spring.method;

import java.util.Map;

/** Finds the attributes of the HTTP request that this thread answers. */
interface RequestLookup {
    /** The attributes; empty if there is no request, or no filter has decided it. */
    Map<String, String> attributes();
}
