package io.sluice.server.decide;

import io.sluice.Blocked;
import io.sluice.Decision;
import io.sluice.LeakyBucket;
import io.sluice.Limit;
import io.sluice.Refill;
import io.sluice.TokenBucket;
import io.sluice.Unlimited;
import java.math.BigInteger;

/*
 * A decision says what remains, and so what is used, up to the capacity. A bucket that is drained evenly says by its reset
 * how much it is in debt as well, so all of a key's use can move there, and on from there. A window does not: what is more
 * than it can hold stays where it was too, or a key that goes back and forth between a large and a small limit would lose
 * the difference each time.
 */
/** What decisions by a limit tell of a key's use. */
final class Use {
    private final long capacity;
    private final boolean counts;
    private final boolean showsDebt;
    private final BigInteger permits;
    private final BigInteger micros;

    private Use(Limit limit, boolean showsDebt, long permits, long micros) {
        this.capacity = limit.capacity();
        this.counts = !(limit instanceof Unlimited || limit instanceof Blocked);
        this.showsDebt = showsDebt;
        this.permits = BigInteger.valueOf(permits);
        this.micros = BigInteger.valueOf(micros);
    }

    static Use under(Limit limit) {
        if (limit instanceof TokenBucket bucket && bucket.refill() == Refill.GREEDY) {
            return new Use(limit, true, bucket.permits(), bucket.period().toMillis() * 1000);
        } else if (limit instanceof LeakyBucket bucket) {
            return new Use(limit, true, bucket.permits(), bucket.period().toMillis() * 1000);
        }
        return new Use(limit, false, 1, 1);
    }

    /** Whether nothing was in use before so many permits were given; a part of a permit in use makes one less remain. */
    boolean wasNone(Decision decision, long permits) {
        return counts && decision.allowed() && decision.remaining() == capacity - permits && !decision.degraded();
    }

    /** The permits in use, rounded up. */
    long of(Decision look) {
        if (!counts || look.degraded()) {
            return 0;
        }
        long used = capacity - look.remaining();
        return used == capacity && showsDebt ? Math.max(used, drainedIn(look.resetAfterMicros())) : used;
    }

    private long drainedIn(long reset) {
        return permits.multiply(BigInteger.valueOf(reset)).divide(micros).longValue();
    }

    /** Whether so much use can be told from less. */
    boolean holds(long used) {
        return showsDebt || used <= capacity;
    }

    /** How much of that use to take. */
    long carried(long used) {
        return showsDebt ? used : Math.min(used, capacity);
    }
}
