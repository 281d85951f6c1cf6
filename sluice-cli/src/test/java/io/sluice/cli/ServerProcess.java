package io.sluice.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code sluice serve} from the packaged jar, in a process of its own, on free ports of loopback. */
final class ServerProcess implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("listening on (https?|rediss?)://\\S*?:(\\d+)");

    private final Process process;
    private final List<String> log = new ArrayList<>();
    private final CompletableFuture<Integer> http = new CompletableFuture<>();
    private final CompletableFuture<Integer> resp = new CompletableFuture<>();

    private ServerProcess(Process process) {
        this.process = process;
        Thread reader = new Thread(this::read, "log of " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    static ServerProcess start(String... options) {
        return start(Map.of(), options);
    }

    static ServerProcess start(Map<String, String> environment, String... options) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-jar",
                Path.of("target", "sluice.jar").toString(),
                "serve",
                "--port",
                "0",
                "--resp-port",
                "0"));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        try {
            return new ServerProcess(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                synchronized (log) {
                    log.add(line);
                }
                Matcher listening = LISTENING.matcher(line);
                while (listening.find()) {
                    (listening.group(1).startsWith("http") ? http : resp)
                            .complete(Integer.parseInt(listening.group(2)));
                }
            }
        } catch (IOException e) {
            // The process was killed.
        }
        IllegalStateException ended = new IllegalStateException("the server ended:\n" + log());
        http.completeExceptionally(ended);
        resp.completeExceptionally(ended);
    }

    int port() {
        return await(http);
    }

    int respPort() {
        return await(resp);
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port() + path);
    }

    private static int await(CompletableFuture<Integer> port) {
        try {
            return port.orTimeout(60, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            throw new IllegalStateException("the server does not listen", e.getCause());
        }
    }

    /** What it has printed so far. */
    String log() {
        synchronized (log) {
            return String.join("\n", log);
        }
    }

    /** As {@code kill -9}. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** As {@code kill}. */
    int stop() throws InterruptedException {
        // The handle's, since the process's own would close its streams: what it logs at the end would be lost.
        process.toHandle().destroy();
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
