/** What who has the admin token may do: see and change policies, look into buckets, watch. */
@NullMarked
package io.sluice.server.admin;

import org.jspecify.annotations.NullMarked;
