/**
 * Reads requests in JSON strictly, and reports errors with their place and what was expected. {@code http} and the command
 * {@code simulate} use it; it depends on no other package of the server.
 */
@NullMarked
package io.sluice.server.json;

import org.jspecify.annotations.NullMarked;
