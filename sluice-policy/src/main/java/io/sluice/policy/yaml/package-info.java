/**
 * Reads YAML into nodes that know their position in the file, and collects problems. The readers of policy files and of
 * envoyproxy/ratelimit files, the linter, the file watches and {@link io.sluice.policy.Policies} may use it; the settings of
 * {@code sluice-server} use {@link io.sluice.policy.yaml.YamlSyntaxError} for their messages.
 */
@NullMarked
package io.sluice.policy.yaml;

import org.jspecify.annotations.NullMarked;
