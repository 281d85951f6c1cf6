/**
 * Tests with real gateways, nginx, Caddy and HAProxy, that run the snippets of {@code docs/guides/gateways.md} in front of a real
 * server. They use {@code ServerProcess} from {@code io.sluice.cli.serve}; no other test uses them.
 */
@NullMarked
package io.sluice.cli.gateway;

import org.jspecify.annotations.NullMarked;
