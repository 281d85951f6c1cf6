package io.sluice.memory;

import io.sluice.Decision;
import io.sluice.spi.EnteredPermit;
import io.sluice.spi.HoldKeeper;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A permit of a {@link MemoryLimiter}. Thread-safe. */
final class MemoryPermit implements EnteredPermit, HoldKeeper.Renewable {
    private static final VarHandle CLOSED;

    static {
        try {
            CLOSED = MethodHandles.lookup().findVarHandle(MemoryPermit.class, "closed", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Entering entering;
    private final String key;
    private final Decision decision;

    /** The id of the hold; 0 if the limiter limits no concurrency, so that nothing is held. */
    private final long id;

    private @Nullable Runnable undo;
    private HoldKeeper.@Nullable Kept kept;
    private volatile boolean closed;

    MemoryPermit(Entering entering, String key, Decision decision, long id) {
        this.entering = entering;
        this.key = key;
        this.decision = decision;
        this.id = id;
    }

    /** Renews it from now on. To be called before anyone else has it. */
    MemoryPermit keep(HoldKeeper.Pace pace) {
        kept = pace.keep(this);
        return this;
    }

    /** Sets what gives back the permits of rates. To be called before anyone else has it. */
    MemoryPermit undoing(Runnable rates) {
        undo = rates;
        return this;
    }

    @Override
    public String key() {
        return key;
    }

    @Override
    public Decision decision() {
        return decision;
    }

    @Override
    public boolean isHeld() {
        return !closed && (id == 0 || entering.isHeld(key, id));
    }

    @Override
    public long renew() {
        return closed ? 0 : entering.renew(key, id);
    }

    @Override
    public void close() {
        leave(false);
    }

    @Override
    public void drop() {
        leave(true);
    }

    /**
     * Gives the permit back.
     *
     * @param dropped whether its request failed because of overload
     * @return whether this call did
     */
    boolean leave(boolean dropped) {
        if (!CLOSED.compareAndSet(this, false, true)) {
            return false;
        }
        if (kept != null) {
            kept.stop();
        }
        if (id != 0) {
            entering.leave(key, id, dropped);
        }
        return true;
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        close();
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void undo() {
        if (leave(false) && undo != null) {
            undo.run();
        }
    }
}
