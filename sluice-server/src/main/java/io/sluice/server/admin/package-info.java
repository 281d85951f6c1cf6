/** The admin API: read and replace policies, inspect and reset keys, follow decisions. It needs the admin token. */
@NullMarked
package io.sluice.server.admin;

import org.jspecify.annotations.NullMarked;
