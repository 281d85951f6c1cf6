/**
 * Watches files for changes. The engine and the reader of envoyproxy/ratelimit files may use it.
 */
@NullMarked
package io.sluice.policy.watch;

import org.jspecify.annotations.NullMarked;
