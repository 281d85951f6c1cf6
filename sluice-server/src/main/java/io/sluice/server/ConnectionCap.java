package io.sluice.server;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.netty.channel.Channel;
import io.sluice.http.ClientAddress;
import io.sluice.server.logging.PeerLog;
import io.sluice.server.vertx.VertxChannels;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/*
 * An IPv6 client has at least 2^64 addresses, so all addresses of a /64 network count as one address. A proxy brings the
 * connections of many clients, so only the maximum of the port applies to a trusted proxy.
 */
/** Limits the number of connections of a port: all of them, and those from one address. Thread-safe. */
final class ConnectionCap implements MeterBinder {
    private static final PeerLog LOG = PeerLog.to("io.sluice.server");
    private static final int IPV6_BYTES = 16;

    private final String listener;
    private final int max;
    private final int maxPerAddress;
    private final ClientAddress proxies;
    private final AtomicInteger open = new AtomicInteger();
    private final Map<Object, Integer> openPerNetwork = new ConcurrentHashMap<>();
    private final LongAdder refusedByPort = new LongAdder();
    private final LongAdder refusedByAddress = new LongAdder();

    /**
     * Creates a cap without connections.
     *
     * @param listener the protocol of the port, for the log and the metrics
     * @param max the maximum number of connections
     * @param maxPerAddress the maximum number of connections from one address
     * @param proxies the trusted proxies; {@code maxPerAddress} does not apply to them
     */
    ConnectionCap(String listener, int max, int maxPerAddress, ClientAddress proxies) {
        this.listener = listener;
        this.max = max;
        this.maxPerAddress = maxPerAddress;
        this.proxies = proxies;
    }

    /** The cap of a configuration, lowered to the number of files that this process may open. */
    static ConnectionCap of(ServerConfig config, String listener) {
        int max = Math.min(config.maxConnections(), possibleConnections(config));
        int maxPerAddress = Math.min(config.maxConnectionsPerAddress(), Math.max(1, max / 2));
        return new ConnectionCap(listener, max, maxPerAddress, new ClientAddress(config.trusted()));
    }

    private static int possibleConnections(ServerConfig config) {
        return FileDescriptors.connectionsPerPort(config.respPort() < 0 ? 1 : 2);
    }

    /** The warning for the log if a port cannot have the configured number of connections; else null. */
    static @Nullable String warning(ServerConfig config) {
        int possible = possibleConnections(config);
        return possible >= config.maxConnections()
                ? null
                : "connections: at most " + possible + " for each port instead of " + config.maxConnections()
                        + ", because this process may open few files (ulimit -n)";
    }

    /** Counts an accepted connection, or closes it and returns false if there are too many. */
    boolean admit(Channel connection) {
        @Nullable
        InetAddress peer =
                connection.remoteAddress() instanceof InetSocketAddress address ? address.getAddress() : null;
        if (open.incrementAndGet() > max) {
            open.decrementAndGet();
            refuse(connection, refusedByPort, "more than " + max + " connections (--max-connections)");
            return false;
        }
        @Nullable Object network = peer == null || proxies.trusts(peer.getHostAddress()) ? null : network(peer);
        if (peer != null && network != null && openPerNetwork.merge(network, 1, Integer::sum) > maxPerAddress) {
            release(network);
            refuse(
                    connection,
                    refusedByAddress,
                    "more than " + maxPerAddress + " connections from " + peer.getHostAddress()
                            + " (--max-connections-per-address)");
            return false;
        }
        connection.closeFuture().addListener(closed -> release(network));
        return true;
    }

    private static Object network(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == IPV6_BYTES ? (Object) ByteBuffer.wrap(bytes).getLong() : address;
    }

    private void release(@Nullable Object network) {
        open.decrementAndGet();
        if (network != null) {
            openPerNetwork.computeIfPresent(network, (unused, count) -> count == 1 ? null : count - 1);
        }
    }

    private void refuse(Channel connection, LongAdder count, String reason) {
        count.increment();
        VertxChannels.closeUnregistered(connection);
        LOG.warn(listener, listener + ": a connection was closed, because there are " + reason);
    }

    /** The number of open connections. */
    int open() {
        return open.get();
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        refused(registry, "port", refusedByPort);
        refused(registry, "address", refusedByAddress);
    }

    private void refused(MeterRegistry registry, String cap, LongAdder count) {
        FunctionCounter.builder("sluice.connections.refused", count, LongAdder::sum)
                .description(
                        "Connections that were closed when they were accepted, because the port or the address had too many")
                .tag("listener", listener)
                .tag("cap", cap)
                .register(registry);
    }
}
