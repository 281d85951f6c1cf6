package io.sluice.server;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/*
 * Every connection needs a file descriptor. A process without free file descriptors cannot accept a connection, read a file or
 * connect to Redis. So some of them are never used for connections.
 */
/** The file descriptors of this process. */
final class FileDescriptors {
    /** Reserved for files, event loops and Redis. */
    private static final int RESERVED = 256;

    private FileDescriptors() {}

    /** The number of connections that each port can have, if so many ports are open. */
    static int connectionsPerPort(int ports) {
        return connectionsPerPort(ports, limit());
    }

    static int connectionsPerPort(int ports, long limit) {
        long free = Math.max(limit / 2, limit - RESERVED);
        return (int) Math.min(Integer.MAX_VALUE, Math.max(1, free / ports));
    }

    /** The maximum of this process; a very large number where it is not known. */
    private static long limit() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
    }
}
