/**
 * The way of a call to Redis and back: calls, lanes, batches, deadlines, and the answers without Redis. Only {@code
 * io.sluice.redis} may come in; this room enters all rooms below.
 */
@NullMarked
package io.sluice.redis.call;

import org.jspecify.annotations.NullMarked;
