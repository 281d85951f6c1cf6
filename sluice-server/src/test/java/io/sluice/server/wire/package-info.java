/**
 * Protocol clients for tests that need control of every byte: HTTP/2 frames and RESP. The tests of this module use them,
 * and those of {@code sluice-cli} by this module's test jar.
 */
@NullMarked
package io.sluice.server.wire;

import org.jspecify.annotations.NullMarked;
