/**
 * Reads YAML into nodes that know their position in the file, and collects problems. The readers of policy files and of
 * envoyproxy/ratelimit files and the linter may use it.
 */
@NullMarked
package io.sluice.policy.yaml;

import org.jspecify.annotations.NullMarked;
