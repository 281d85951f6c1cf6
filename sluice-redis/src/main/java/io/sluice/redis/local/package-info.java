/**
 * The local shares: the parts of limits that this process enforces by itself while Redis is away. The rooms {@code call}
 * and {@code io.sluice.redis} may come in; this room knows nothing of connections and calls.
 */
@NullMarked
package io.sluice.redis.local;

import org.jspecify.annotations.NullMarked;
