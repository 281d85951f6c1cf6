/**
 * Matches the attributes of a request with compiled conditions, and writes and parses keys. The engine, the linter and
 * the reader of envoyproxy/ratelimit files may use it.
 */
@NullMarked
package io.sluice.policy.match;

import org.jspecify.annotations.NullMarked;
