/** Checks with Lincheck that concurrent calls of the memory store have the results of some order of them. */
@NullMarked
package io.sluice.lincheck;

import org.jspecify.annotations.NullMarked;
