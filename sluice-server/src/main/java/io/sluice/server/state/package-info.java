/** What a server remembers over a restart. */
@NullMarked
package io.sluice.server.state;

import org.jspecify.annotations.NullMarked;
