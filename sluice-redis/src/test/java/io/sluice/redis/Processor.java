package io.sluice.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Measures how long a thread could run but had no processor. Otherwise, that time would look like waiting. */
final class Processor {
    private static final Path SCHEDSTAT = Path.of("/proc/thread-self/schedstat");
    private static final boolean KNOWN = Files.isReadable(SCHEDSTAT);

    private Processor() {}

    /** For how long the current thread has waited for a processor, of all its life; 0 where the system does not say. */
    static long waitedNanos() {
        if (!KNOWN) {
            return 0;
        }
        try {
            // <running> <waiting> <times>
            return Long.parseLong(Files.readString(SCHEDSTAT).split(" ", -1)[1]);
        } catch (IOException e) {
            return 0;
        }
    }
}
