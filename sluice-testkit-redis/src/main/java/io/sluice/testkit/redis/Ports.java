package io.sluice.testkit.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds free ports of the loopback interface. They and their cluster bus ports are below the ports of outgoing connections,
 * so that a server that was killed finds its port free when it is restarted. A JVM uses no port twice, so that a client of a
 * closed server never connects to another server. JVMs that run tests side by side share no port, for the same reasons.
 */
final class Ports {
    static final InetAddress LOOPBACK = loopback();

    private static final int FIRST = 10_000;
    private static final int BUS_OFFSET = 10_000;

    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private Ports() {}

    /** A port that is free now, and whose cluster bus port is free as well. */
    static int next() {
        for (int i = 0; i < 1_000; i++) {
            int port = FIRST + ThreadLocalRandom.current().nextInt(BUS_OFFSET);
            port += TestJvms.number() - port % TestJvms.MAXIMUM;
            if (GIVEN.add(port) && isFree(port) && isFree(port + BUS_OFFSET)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port from " + FIRST + " on");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(LOOPBACK, port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static InetAddress loopback() {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        } catch (UnknownHostException e) {
            throw new UncheckedIOException(e);
        }
    }
}
