/**
 * Exact integer arithmetic for permits and microseconds, and the bounds within which it is exact. Every room of the core may
 * come in, and so may the other modules of Sluice; this room uses no other.
 */
@NullMarked
package io.sluice.exact;

import org.jspecify.annotations.NullMarked;
