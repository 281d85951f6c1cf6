package io.sluice.server.rls;

import io.sluice.server.rls.proto.HealthCheckResponse.ServingStatus;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * A watch lasts for days and rarely sees a change, and any client may open thousands. So a watch has no timer of its own: one
 * timer checks the health for all of them. As long as the health does not change, a watch costs nothing.
 */
/** The open watches of the health service. Thread-safe. */
final class HealthWatches {
    private static final long INTERVAL_MILLIS = 500;

    private final Set<Watch> open = ConcurrentHashMap.newKeySet();
    private final Supplier<Health> health;
    private volatile @Nullable Health latest;

    /** Whether the server is ready, and whether it stops. Stopping ends every watch. */
    record Health(boolean ready, boolean stopping) {
        /** @param known whether the service exists */
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

    /** Starts the timer. */
    void start(Vertx vertx) {
        vertx.setPeriodic(INTERVAL_MILLIS, unused -> update());
    }

    /**
     * Sends the health now and after every change, until the call is over. To be called on the event loop of the call.
     *
     * @param known whether the watched service exists
     */
    void add(GrpcReply reply, boolean known) {
        Watch watch = new Watch(reply, known, Vertx.currentContext());
        reply.onClose(() -> open.remove(watch));
        // Before the update: a change is either seen there, or sent to this watch.
        open.add(watch);
        update();
        watch.send();
    }

    /** The number of open watches. */
    int open() {
        return open.size();
    }

    private synchronized void update() {
        Health now = health.get();
        if (!now.equals(latest)) {
            latest = now;
            open.forEach(Watch::scheduleSend);
        }
    }

    /** One watch and the latest status that it has sent. Used on its event loop only. */
    private final class Watch {
        private final GrpcReply reply;
        private final boolean known;
        private final Context context;
        private ServingStatus sent = ServingStatus.UNKNOWN;

        Watch(GrpcReply reply, boolean known, Context context) {
            this.reply = reply;
            this.known = known;
            this.context = context;
        }

        void scheduleSend() {
            context.runOnContext(unused -> send());
        }

        void send() {
            Health now = latest;
            if (now == null) {
                return;
            }
            ServingStatus status = now.status(known);
            if (status != sent) {
                sent = status;
                reply.send(HealthService.response(status));
            }
            if (now.stopping()) {
                reply.fail(GrpcStatus.UNAVAILABLE, "the server is stopping");
            }
        }
    }
}
