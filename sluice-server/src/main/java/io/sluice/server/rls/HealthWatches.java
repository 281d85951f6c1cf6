package io.sluice.server.rls;

import io.sluice.server.rls.proto.HealthCheckResponse.ServingStatus;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * A watch lasts for days and hears of a change now and then, and anybody may open thousands. So none of them has a timer of its
 * own: one looks for all, and as long as it sees what it saw before, a watch costs nothing.
 */
/** Everybody who watches whether this server is ready. Thread-safe. */
final class HealthWatches {
    /** How often it looks for news. */
    private static final long LOOK_MILLIS = 500;

    private final Set<Watch> open = ConcurrentHashMap.newKeySet();
    private final Supplier<Health> health;
    private volatile @Nullable Health seen;

    /** Whether requests should come here, and whether the server stops, which ends every watch. */
    record Health(boolean ready, boolean stopping) {
        /** @param known whether there is such a service */
        ServingStatus status(boolean known) {
            if (!known) {
                return ServingStatus.SERVICE_UNKNOWN;
            }
            return ready ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
        }
    }

    HealthWatches(Supplier<Health> health) {
        this.health = health;
    }

    /** Looks now and then, from now on. */
    void start(Vertx vertx) {
        vertx.setPeriodic(LOOK_MILLIS, unused -> look());
    }

    /**
     * Tells of the health now, and of every change, until nobody listens any more. On the event loop of the call.
     *
     * @param known whether there is the service that is watched
     */
    void add(GrpcReply reply, boolean known) {
        Watch watch = new Watch(reply, known, Vertx.currentContext());
        reply.onClose(() -> open.remove(watch));
        // Before the look: a change is either seen there, or told to who is here.
        open.add(watch);
        look();
        watch.tell();
    }

    /** How many watch. */
    int open() {
        return open.size();
    }

    private synchronized void look() {
        Health now = health.get();
        if (!now.equals(seen)) {
            seen = now;
            open.forEach(Watch::tellThere);
        }
    }

    /** One who watches, and what it was told. Used on its event loop. */
    private final class Watch {
        private final GrpcReply reply;
        private final boolean known;
        private final Context context;
        private ServingStatus told = ServingStatus.UNKNOWN;

        Watch(GrpcReply reply, boolean known, Context context) {
            this.reply = reply;
            this.known = known;
            this.context = context;
        }

        void tellThere() {
            context.runOnContext(unused -> tell());
        }

        void tell() {
            Health now = seen;
            if (now == null) {
                return;
            }
            ServingStatus status = now.status(known);
            if (status != told) {
                told = status;
                reply.send(HealthService.said(status));
            }
            if (now.stopping()) {
                reply.fail(GrpcStatus.UNAVAILABLE, "the server is stopping");
            }
        }
    }
}
