/** Runs the store with other clients, on other servers and on other Java versions than its own build. */
@NullMarked
package io.sluice.compatibility;

import org.jspecify.annotations.NullMarked;
