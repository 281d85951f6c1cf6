/**
 * The admin API: reads and replaces policies, inspects and resets keys, and streams decision counts. It needs the admin token.
 * Only {@code io.sluice.server} uses it.
 */
@NullMarked
package io.sluice.server.admin;

import org.jspecify.annotations.NullMarked;
