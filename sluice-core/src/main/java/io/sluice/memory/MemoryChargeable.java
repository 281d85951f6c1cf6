package io.sluice.memory;

import io.sluice.Chargeable;
import io.sluice.Limit;
import io.sluice.memory.keys.Space;
import io.sluice.memory.state.Terms;
import org.jspecify.annotations.Nullable;

/** What charges on a {@link MemoryStore} are made on. */
interface MemoryChargeable extends Chargeable {
    MemoryStore store();

    /** Where its keys are: one for each limit. */
    Space[] spaces();

    /** The text by which a key is kept. */
    String kept(String key);

    /** The terms of a limit that a charge carries; null for none. */
    @Nullable
    Terms brought(@Nullable Limit own);

    /** Permits of a key were given back, by the text by which it is kept. */
    void gaveBack(String key);
}
