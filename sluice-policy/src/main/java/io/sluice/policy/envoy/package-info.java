/**
 * Reads the configuration files of envoyproxy/ratelimit as policies, and matches descriptors. Users may use it.
 */
@NullMarked
package io.sluice.policy.envoy;

import org.jspecify.annotations.NullMarked;
