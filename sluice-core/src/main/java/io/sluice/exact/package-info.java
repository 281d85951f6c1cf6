/**
 * Exact integer arithmetic for permits and microseconds, and the bounds within which it is exact. Every room of the core may
 * come in; this room uses no other.
 */
@NullMarked
package io.sluice.exact;

import org.jspecify.annotations.NullMarked;
