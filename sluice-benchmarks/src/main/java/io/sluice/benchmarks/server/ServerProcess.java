package io.sluice.benchmarks.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.benchmarks.common.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server in a separate JVM, which ends with this one. */
final class ServerProcess implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("listening on (https?|rediss?)://\\S*?:(\\d+)");

    /** The JVM options of {@code ./sluice serve}, and the heap size. */
    private static final List<String> AS_LAUNCHED = List.of(
            "-XX:+UseG1GC",
            "-XX:MaxGCPauseMillis=20",
            "-XX:MaxTenuringThreshold=0",
            "-XX:NewSize=16m",
            "-XX:MaxNewSize=16m",
            "-XX:ThreadPriorityPolicy=1",
            "-XX:JavaPriority1_To_OSPriority=10",
            "-Xmx1g");

    private final Process process;
    private final BufferedReader out;
    private int port;
    private int respPort;

    private ServerProcess(Process process) {
        this.process = process;
        out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    }

    /**
     * Starts a server and waits until it listens.
     *
     * @param listeners the number of ports that the server opens
     */
    static ServerProcess start(Class<?> main, int listeners, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(main.getName()));
        all.addAll(List.of(arguments));
        ServerProcess served =
                new ServerProcess(JavaProcess.of(AS_LAUNCHED, ServerProcessMain.class, all.toArray(String[]::new))
                        .start());
        try {
            served.awaitListening(listeners);
            return served;
        } catch (IOException e) {
            served.close();
            throw e;
        }
    }

    private void awaitListening(int listeners) throws IOException {
        for (int open = 0; open < listeners; ) {
            Matcher listening = LISTENING.matcher(line());
            while (listening.find()) {
                int number = Integer.parseInt(listening.group(2));
                if (listening.group(1).startsWith("http")) {
                    open += port == 0 ? 1 : 0;
                    port = number;
                } else {
                    open += respPort == 0 ? 1 : 0;
                    respPort = number;
                }
            }
        }
    }

    private String line() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IOException("the server ended before it listened");
        }
        return line;
    }

    int port() {
        return port;
    }

    int respPort() {
        return respPort;
    }

    /** The used heap in bytes. */
    long heapUsed() throws IOException {
        return ask(ServerProcessMain.USED);
    }

    /** The longest time that an event loop was blocked since the last call, in microseconds; 0 at first. */
    long longestStallMicros() throws IOException {
        return ask(ServerProcessMain.STALLED);
    }

    /** The processor time of the process so far. */
    Duration cpuTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private long ask(String what) throws IOException {
        OutputStream ask = process.getOutputStream();
        ask.write((what + "\n").getBytes(UTF_8));
        ask.flush();
        while (true) {
            String line = line();
            if (line.startsWith(what)) {
                return Long.parseLong(line.substring(what.length()));
            }
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
