package io.sluice.memory.keys;

import io.sluice.Decision;
import io.sluice.TimeSource;
import io.sluice.memory.state.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** One key under all limits of its limiter, held for the length of one operation. */
public final class Holds implements AutoCloseable {
    private final Hold[] holds;

    private Holds(Hold[] holds) {
        this.holds = holds;
    }

    public static Holds of(Space[] spaces, String key, TimeSource time) {
        Objects.requireNonNull(key, "key");
        Hold[] holds = new Hold[spaces.length];
        for (int i = 0; i < holds.length; i++) {
            holds[i] = spaces[i].hold(key);
        }
        return new Holds(holds).arrive(time);
    }

    /** Without making a key that is not there. */
    public static Holds toLook(Space[] spaces, String key, TimeSource time) {
        Objects.requireNonNull(key, "key");
        Hold[] holds = new Hold[spaces.length];
        for (int i = 0; i < holds.length; i++) {
            holds[i] = spaces[i].look(key);
        }
        return new Holds(holds).arrive(time);
    }

    private Holds arrive(TimeSource time) {
        Moment moment = new Moment(time);
        for (Hold hold : holds) {
            hold.arrive(moment);
        }
        return this;
    }

    /** Whether every limit allows it. */
    public boolean judge(long permits) {
        boolean allowed = true;
        for (Hold hold : holds) {
            hold.judge(permits);
            allowed &= hold.allowed();
        }
        return allowed;
    }

    /** Takes what was judged from every limit, or starts the lockout of those that denied. */
    public void settle(boolean allowed) {
        for (Hold hold : holds) {
            if (allowed) {
                hold.take();
            } else {
                hold.deny();
            }
        }
    }

    public Decision decision() {
        Decision decision = holds[0].decision();
        for (int i = 1; i < holds.length; i++) {
            decision = decision.and(holds[i].decision());
        }
        return decision;
    }

    public long delay() {
        long delay = 0;
        for (Hold hold : holds) {
            delay = Math.max(delay, hold.delay());
        }
        return delay;
    }

    public long waitToUse(long permits) {
        long wait = 0;
        for (Hold hold : holds) {
            wait = Math.max(wait, hold.waitToUse(permits));
        }
        return wait;
    }

    /** Whether every limit lets permits be taken ahead of their time. */
    public boolean canReserve(long permits) {
        for (Hold hold : holds) {
            boolean fits = hold.state == null || hold.state.takable(permits, hold.t()) == permits;
            // After a pause all that was promised during it would come at once.
            boolean paused = hold.state != null && hold.state.pauseRest(hold.t()) > 0;
            if (!hold.terms.reserves || !fits || paused) {
                return false;
            }
        }
        return true;
    }

    /** Takes permits whether they are free or not. */
    public List<Receipt> takeByForce(long permits) {
        List<Receipt> receipts = new ArrayList<>(holds.length);
        for (Hold hold : holds) {
            if (hold.state != null) {
                long takable = hold.state.takable(permits, hold.t());
                if (takable > 0) {
                    hold.state.take(takable, hold.t());
                    Receipt receipt = Receipt.of(hold, takable);
                    if (receipt != null) {
                        receipts.add(receipt);
                    }
                } else if (permits > 0) {
                    hold.state.advance(hold.t());
                }
            }
        }
        return receipts;
    }

    /** How long the key is still paused. */
    public long pauseRest() {
        long rest = 0;
        for (Hold hold : holds) {
            rest = Math.max(rest, hold.state == null ? 0 : hold.state.pauseRest(hold.t()));
        }
        return rest;
    }

    public void refund(long permits) {
        for (Hold hold : holds) {
            if (hold.state != null) {
                hold.state.refund(permits, hold.t());
                hold.space.lightened(hold.key);
            }
        }
    }

    @Override
    public void close() {
        for (Hold hold : holds) {
            hold.release();
        }
        holds[0].space.makeRoom();
    }
}
