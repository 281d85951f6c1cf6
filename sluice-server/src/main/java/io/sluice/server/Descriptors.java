package io.sluice.server;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/*
 * Every connection is a file descriptor. When there are none left, nothing can be accepted, and no file be read, and Redis not
 * be reached again: so some of them are never for connections.
 */
/** The file descriptors of this process. */
final class Descriptors {
    /** For files, event loops and Redis. */
    private static final int RESERVE = 256;

    private Descriptors() {}

    /** How many connections each of so many ports can have. */
    static int forEachOf(int ports) {
        return forEachOf(ports, limit());
    }

    static int forEachOf(int ports, long limit) {
        long free = Math.max(limit / 2, limit - RESERVE);
        return (int) Math.min(Integer.MAX_VALUE, Math.max(1, free / ports));
    }

    /** How many there can be; very many where that is not known. */
    private static long limit() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
    }
}
