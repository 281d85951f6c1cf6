/** HTTP: what is asked where, and how it is answered. */
@NullMarked
package io.sluice.server.http;

import org.jspecify.annotations.NullMarked;
