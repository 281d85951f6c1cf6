/** What a decision looks like in HTTP, as values that any web framework can use, and whose request it is. */
@NullMarked
package io.sluice.http;

import org.jspecify.annotations.NullMarked;
