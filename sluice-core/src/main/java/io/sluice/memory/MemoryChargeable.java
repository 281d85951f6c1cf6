package io.sluice.memory;

import io.sluice.Chargeable;
import io.sluice.Limit;
import io.sluice.memory.keys.KeyTable;
import io.sluice.memory.state.ActiveLimit;
import org.jspecify.annotations.Nullable;

/** A limiter or call limiter of a {@link MemoryStore}. */
interface MemoryChargeable extends Chargeable {
    MemoryStore store();

    /** The tables of its keys, one for each limit. */
    KeyTable[] tables();

    /** The text under which a key is stored. */
    String storedKey(String key);

    /** The active limit for a limit that a charge carries. Null if this limiter has limits of its own. */
    @Nullable
    ActiveLimit carriedLimit(@Nullable Limit own);

    /** To be called after permits of a key were given back. The key is the stored text. */
    void gaveBack(String key);
}
