/** What every listener decides by. */
@NullMarked
package io.sluice.server.decide;

import org.jspecify.annotations.NullMarked;
