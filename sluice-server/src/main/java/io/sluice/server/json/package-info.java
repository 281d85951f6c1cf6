/** What clients write in JSON: read strictly, and refused in a way that says what, where and what was expected. */
@NullMarked
package io.sluice.server.json;

import org.jspecify.annotations.NullMarked;
