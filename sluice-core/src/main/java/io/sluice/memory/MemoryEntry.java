package io.sluice.memory;

import io.sluice.Decision;
import io.sluice.Permit;
import io.sluice.memory.keys.Receipt;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one attempt of a waiter to enter.
 *
 * @param receipts of the permits that were taken from rates; null if nothing was taken
 * @param id the id of the hold; 0 if nothing is held
 * @param holdMicros the shortest hold of the limits
 */
record MemoryEntry(
        Entering entering,
        String key,
        long waitMicros,
        long leastMicros,
        @Nullable List<Receipt> receipts,
        long id,
        long holdMicros,
        Decision decision)
        implements Ask.Answer<Optional<Permit>> {

    @Override
    public boolean granted() {
        return receipts != null;
    }

    @Override
    public Optional<Permit> result() {
        List<Receipt> rates = receipts;
        return rates == null
                ? Optional.empty()
                : Optional.of(
                        entering.permit(key, decision, id, holdMicros).undoing(() -> entering.giveBack(key, rates)));
    }

    @Override
    public void cancel() {
        if (receipts != null) {
            if (id != 0) {
                entering.leave(key, id, false);
            }
            entering.giveBack(key, receipts);
        }
    }
}
