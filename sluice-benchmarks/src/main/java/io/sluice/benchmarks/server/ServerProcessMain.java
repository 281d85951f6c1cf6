package io.sluice.benchmarks.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;

/**
 * Runs a server in a JVM that reports its used heap, and the longest time that an event loop was blocked. A line on standard
 * input asks for a value; a line on standard output has the value.
 */
final class ServerProcessMain {
    static final String USED = "heap used ";
    static final String STALLED = "event loop blocked ";

    private ServerProcessMain() {}

    /**
     * Runs a server until standard input ends.
     *
     * @param args the main class of the server, and its arguments
     */
    public static void main(String... args) throws Exception {
        Class<?> server = Class.forName(args[0]);
        String[] rest = Arrays.copyOfRange(args, 1, args.length);
        Thread serving = new Thread(() -> run(server, rest), "main of " + server.getSimpleName());
        serving.setDaemon(true);
        serving.start();
        answer(new BufferedReader(new InputStreamReader(System.in, UTF_8)));
        // The parent process has ended.
        Runtime.getRuntime().halt(0);
    }

    private static void run(Class<?> server, String[] args) {
        try {
            server.getMethod("main", String[].class).invoke(null, (Object) args);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e.getCause() == null ? e : e.getCause());
        }
    }

    private static void answer(BufferedReader in) throws IOException {
        EventLoopStalls stalls = null;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.equals(STALLED)) {
                stalls = stalls == null ? EventLoopStalls.start() : stalls;
                System.out.println(STALLED + stalls.longestMicros());
            } else {
                System.gc();
                Runtime memory = Runtime.getRuntime();
                System.out.println(USED + (memory.totalMemory() - memory.freeMemory()));
            }
        }
    }
}
