package io.sluice.server.resp;

import io.sluice.CallLimiter;
import io.sluice.server.decide.CallPeriod;
import io.sluice.server.decide.Checks;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/*
 * No connection has a timer of its own: all of an event loop are looked at now and then, and time is counted in such looks.
 *
 * What they keep (bytes that are not run yet, replies that are not sent yet) is counted for the event loop, which has its part
 * of the server's budget; so nothing is shared between threads. When it is used up, those go who keep most for longest: who
 * reads what it is answered keeps nothing for long, whatever others do beside it.
 */
/** Speaks RESP with the clients of one event loop: what they share because only one of them is served at a time. */
public final class RespConnections implements Handler<NetSocket> {
    private static final int USUAL_READ = 16 * 1024;
    private static final int LOOKS = 10;
    private static final AtomicLong IDS = new AtomicLong();

    final CommandReader reader = new CommandReader(USUAL_READ);
    final Replies replies = new Replies();
    final Commands commands;
    final Context context;
    final RespLimits limits;

    /** In looks. */
    final long patience;

    /** In looks. */
    final long authTimeout;

    private final Set<RespConnection> open = new HashSet<>();
    private final boolean needsPassword;
    private final CommandBounds unauthenticated;
    private long now;
    private long kept;
    private boolean relieving;

    /**
     * To be made on the event loop.
     *
     * @param calls what {@code CL.THROTTLE} counts by
     * @param periods how long its periods may be
     * @param atOnce whether nothing has to be waited for
     * @param password what clients have to show; null for nothing
     */
    public RespConnections(
            Vertx vertx,
            Checks checks,
            CallLimiter calls,
            CallPeriod periods,
            boolean atOnce,
            @Nullable String password,
            RespLimits limits) {
        this.context = vertx.getOrCreateContext();
        this.limits = limits;
        this.needsPassword = password != null;
        Password shown = new Password(password, limits.attempts);
        this.unauthenticated = CommandBounds.unauthenticated(shown.length());
        this.commands = new Commands(new Throttle(calls, periods, atOnce), new SluiceCheck(checks), shown);
        Duration shortest = limits.patience.compareTo(limits.authTimeout) < 0 ? limits.patience : limits.authTimeout;
        long look = Math.max(1, Math.min(1000, shortest.toMillis() / LOOKS));
        patience = limits.patience.toMillis() / look;
        authTimeout = limits.authTimeout.toMillis() / look;
        vertx.setPeriodic(look, unused -> look());
    }

    @Override
    public void handle(NetSocket socket) {
        Client client =
                new Client(IDS.incrementAndGet(), socket.remoteAddress(), shown(socket.localAddress()), needsPassword);
        RespConnection connection = new RespConnection(this, socket, client);
        open.add(connection);
        socket.exceptionHandler(failure -> socket.close());
        socket.handler(connection::read);
        socket.shutdownHandler(unused -> connection.stop());
        socket.closeHandler(unused -> {
            open.remove(connection);
            connection.closed();
        });
    }

    static String shown(@Nullable SocketAddress address) {
        return address == null ? "" : address.toString();
    }

    /** How large the next command of a client may be. */
    CommandBounds bounds(Client client) {
        return client.isAuthenticated() ? CommandBounds.USUAL : unauthenticated;
    }

    /** The number of this look. */
    long now() {
        return now;
    }

    private void look() {
        now++;
        for (RespConnection connection : List.copyOf(open)) {
            connection.look();
        }
    }

    /** So many bytes more are kept for a client, or fewer. */
    void kept(long more) {
        kept += more;
        limits.kept(more);
        if (kept > limits.mostForEach && !relieving) {
            relieving = true;
            relieve();
            relieving = false;
        }
    }

    private void relieve() {
        open.forEach(RespConnection::account);
        if (kept <= limits.mostForEach) {
            return;
        }
        // More than there is too much, so that it is not done for each byte.
        long enough = limits.mostForEach / 4 * 3;
        for (RespConnection connection : open.stream()
                .sorted(Comparator.comparingLong(RespConnection::weight).reversed())
                .toList()) {
            if (kept <= enough) {
                return;
            }
            connection.abort(RespLimits.Reason.MEMORY);
        }
    }
}
