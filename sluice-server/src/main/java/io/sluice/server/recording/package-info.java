/**
 * A bounded recording of the latest requests, and its replay by other policies. {@code io.sluice.server} and {@code admin} use it.
 */
@NullMarked
package io.sluice.server.recording;

import org.jspecify.annotations.NullMarked;
