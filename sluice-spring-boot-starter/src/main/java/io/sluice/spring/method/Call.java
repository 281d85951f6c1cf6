package io.sluice.spring.method;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call to decide.
 *
 * @param key the value of the annotation's key; null if it has none, or if that is null
 * @param permits the permits that the call takes
 * @param request the attributes of the HTTP request that is being answered; empty if there is none
 */
record Call(@Nullable Object key, long permits, Map<String, String> request) {}
