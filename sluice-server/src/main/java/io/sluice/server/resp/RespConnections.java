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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Speaks RESP with the clients of one event loop: what they share because only one of them is served at a time. */
public final class RespConnections implements Handler<NetSocket> {
    private static final int USUAL_READ = 16 * 1024;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final AtomicLong IDS = new AtomicLong();

    final CommandReader reader = new CommandReader(USUAL_READ);
    final Replies replies = new Replies();
    final Commands commands;
    final Context context;
    final long patienceNanos;
    private final Vertx vertx;
    private final boolean needsPassword;

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
            @Nullable String password) {
        this(vertx, checks, calls, periods, atOnce, password, PATIENCE);
    }

    RespConnections(
            Vertx vertx,
            Checks checks,
            CallLimiter calls,
            CallPeriod periods,
            boolean atOnce,
            @Nullable String password,
            Duration patience) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.needsPassword = password != null;
        this.patienceNanos = patience.toNanos();
        this.commands =
                new Commands(new Throttle(calls, periods, atOnce), new SluiceCheck(checks), new Password(password));
    }

    @Override
    public void handle(NetSocket socket) {
        Client client = new Client(
                IDS.incrementAndGet(), shown(socket.remoteAddress()), shown(socket.localAddress()), needsPassword);
        RespConnection connection = new RespConnection(this, socket, client);
        socket.exceptionHandler(failure -> socket.close());
        socket.handler(connection::read);
        socket.shutdownHandler(unused -> connection.stop());
    }

    private static String shown(@Nullable SocketAddress address) {
        return address == null ? "" : address.toString();
    }

    void after(long nanos, Runnable task) {
        vertx.setTimer(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos) + 1), unused -> task.run());
    }
}
