package io.sluice.server;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.netty.channel.Channel;
import io.sluice.http.ClientAddress;
import io.sluice.server.logging.PeerLog;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/*
 * Who has IPv6 has at least 2^64 addresses, so what counts as one address there is their common half. A proxy brings the
 * connections of many, so those that are trusted may have as many as the port has.
 */
/** Caps the connections of a port, all of them and those of one address. Thread-safe. */
final class ConnectionCap implements MeterBinder {
    private static final PeerLog REFUSED = PeerLog.to("io.sluice.server");
    private static final int IPV6_BYTES = 16;

    private final String listener;
    private final int most;
    private final int mostEach;
    private final ClientAddress proxies;
    private final AtomicInteger open = new AtomicInteger();
    private final Map<Object, Integer> openEach = new ConcurrentHashMap<>();
    private final LongAdder overAll = new LongAdder();
    private final LongAdder overEach = new LongAdder();

    /**
     * Begins with none.
     *
     * @param listener what is spoken on the port, for the log and the metrics
     * @param most how many connections there may be
     * @param mostEach how many of them may come from one address
     * @param proxies who may have more than that
     */
    ConnectionCap(String listener, int most, int mostEach, ClientAddress proxies) {
        this.listener = listener;
        this.most = most;
        this.mostEach = mostEach;
        this.proxies = proxies;
    }

    /** As a server is told, and as far as this process may have open files. */
    static ConnectionCap by(ServerConfig config, String listener) {
        int most = Math.min(config.maxConnections(), possible(config));
        int mostEach = Math.min(config.maxConnectionsPerAddress(), Math.max(1, most / 2));
        return new ConnectionCap(listener, most, mostEach, new ClientAddress(config.trusted()));
    }

    private static int possible(ServerConfig config) {
        return Descriptors.forEachOf(config.respPort() < 0 ? 1 : 2);
    }

    /** What to tell if a port cannot have as many connections as it is told; null if it can. */
    static @Nullable String warning(ServerConfig config) {
        int possible = possible(config);
        return possible >= config.maxConnections()
                ? null
                : "connections: at most " + possible + " for each port instead of " + config.maxConnections()
                        + ", because this process may open few files (ulimit -n)";
    }

    /** Whether a connection that was accepted may stay. One that may not is closed. */
    boolean admits(Channel connection) {
        @Nullable
        InetAddress peer =
                connection.remoteAddress() instanceof InetSocketAddress address ? address.getAddress() : null;
        if (open.incrementAndGet() > most) {
            open.decrementAndGet();
            refuse(connection, overAll, "more than " + most + " connections (--max-connections)");
            return false;
        }
        @Nullable Object one = peer == null || proxies.trusts(peer.getHostAddress()) ? null : network(peer);
        if (peer != null && one != null && openEach.merge(one, 1, Integer::sum) > mostEach) {
            left(one);
            refuse(
                    connection,
                    overEach,
                    "more than " + mostEach + " connections from " + peer.getHostAddress()
                            + " (--max-connections-per-address)");
            return false;
        }
        connection.closeFuture().addListener(closed -> left(one));
        return true;
    }

    private static Object network(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == IPV6_BYTES ? (Object) ByteBuffer.wrap(bytes).getLong() : address;
    }

    private void left(@Nullable Object one) {
        open.decrementAndGet();
        if (one != null) {
            openEach.computeIfPresent(one, (unused, count) -> count == 1 ? null : count - 1);
        }
    }

    private void refuse(Channel connection, LongAdder count, String why) {
        count.increment();
        // It belongs to no event loop yet, so nothing else could close it.
        connection.unsafe().closeForcibly();
        REFUSED.peer(listener, listener + ": a connection was closed, because there are " + why);
    }

    /** How many connections there are. */
    int open() {
        return open.get();
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        refused(registry, "port", overAll);
        refused(registry, "address", overEach);
    }

    private void refused(MeterRegistry registry, String cap, LongAdder count) {
        FunctionCounter.builder("sluice.connections.refused", count, LongAdder::sum)
                .description("Connections that were closed at once, because the port or the address had too many")
                .tag("listener", listener)
                .tag("cap", cap)
                .register(registry);
    }
}
