package io.sluice.server.resp;

import io.sluice.CallLimiter;
import io.sluice.server.decide.MaxCallPeriod;
import io.sluice.server.decide.RequestDecider;
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
 * No connection has a timer of its own: a periodic task looks at all connections of the event loop, and time is counted in its
 * ticks.
 *
 * The bytes that connections keep (input that was not run yet, replies that were not sent yet) are counted for the event loop,
 * which has its part of the server's budget. So threads share nothing. When the budget is used up, the connections that keep
 * most bytes for the longest time are closed. A client that reads its replies keeps nothing for long, so it is safe.
 */
/** The RESP connections of one event loop, and the buffers that they use in turn. */
public final class RespConnections implements Handler<NetSocket> {
    private static final int INITIAL_CAPACITY = 16 * 1024;
    private static final int TICKS_PER_TIMEOUT = 10;
    private static final AtomicLong IDS = new AtomicLong();

    final CommandReader reader = new CommandReader(INITIAL_CAPACITY);
    final ReplyWriter replies = new ReplyWriter();
    final Commands commands;
    final Context context;
    final RespLimits limits;

    /** In ticks. */
    final long timeout;

    /** In ticks. */
    final long authTimeout;

    private final Set<RespConnection> open = new HashSet<>();
    private final boolean needsPassword;
    private final CommandBounds unauthenticated;
    private long now;
    private long keptBytes;
    private boolean freeing;

    /**
     * Creates the connections of the current event loop.
     *
     * @param throttleLimiter enforces the limits of {@code CL.THROTTLE}
     * @param maxPeriod the longest period of {@code CL.THROTTLE}
     * @param inMemory whether decisions are made without waiting
     * @param password the password of clients; null for none
     */
    public RespConnections(
            Vertx vertx,
            RequestDecider decider,
            CallLimiter throttleLimiter,
            MaxCallPeriod maxPeriod,
            boolean inMemory,
            @Nullable String password,
            RespLimits limits) {
        this.context = vertx.getOrCreateContext();
        this.limits = limits;
        this.needsPassword = password != null;
        Password required = new Password(password, limits.attempts);
        this.unauthenticated = CommandBounds.unauthenticated(required.length());
        this.commands = new Commands(new ThrottleCommand(throttleLimiter, maxPeriod, inMemory), decider, required);
        Duration shortest = limits.timeout.compareTo(limits.authTimeout) < 0 ? limits.timeout : limits.authTimeout;
        long tick = Math.max(1, Math.min(1000, shortest.toMillis() / TICKS_PER_TIMEOUT));
        timeout = limits.timeout.toMillis() / tick;
        authTimeout = limits.authTimeout.toMillis() / tick;
        vertx.setPeriodic(tick, unused -> tick());
    }

    @Override
    public void handle(NetSocket socket) {
        ClientInfo client = new ClientInfo(
                IDS.incrementAndGet(), socket.remoteAddress(), display(socket.localAddress()), needsPassword);
        RespConnection connection = new RespConnection(this, socket, client);
        open.add(connection);
        socket.exceptionHandler(failure -> socket.close());
        socket.handler(connection::read);
        socket.shutdownHandler(unused -> connection.shutdown());
        socket.closeHandler(unused -> {
            open.remove(connection);
            connection.onClosed();
        });
    }

    static String display(@Nullable SocketAddress address) {
        return address == null ? "" : address.toString();
    }

    /** The maximum size of the next command of a client. */
    CommandBounds bounds(ClientInfo client) {
        return client.isAuthenticated() ? CommandBounds.DEFAULT : unauthenticated;
    }

    /** The current tick. */
    long now() {
        return now;
    }

    private void tick() {
        now++;
        for (RespConnection connection : List.copyOf(open)) {
            connection.checkTimeouts();
        }
    }

    /** @param bytes may be negative */
    void addBytes(long bytes) {
        keptBytes += bytes;
        limits.addBytes(bytes);
        if (keptBytes > limits.maxBytesPerLoop && !freeing) {
            freeing = true;
            freeMemory();
            freeing = false;
        }
    }

    private void freeMemory() {
        open.forEach(RespConnection::countBytes);
        if (keptBytes <= limits.maxBytesPerLoop) {
            return;
        }
        // Frees more than necessary, so that this does not happen again at once.
        long target = limits.maxBytesPerLoop / 4 * 3;
        for (RespConnection connection : open.stream()
                .sorted(Comparator.comparingLong(RespConnection::closePriority).reversed())
                .toList()) {
            if (keptBytes <= target) {
                return;
            }
            connection.abort(RespLimits.Reason.MEMORY);
        }
    }
}
