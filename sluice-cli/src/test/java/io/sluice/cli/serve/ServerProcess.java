package io.sluice.cli.serve;

import io.sluice.testkit.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** {@code sluice serve} from the packaged jar, in a process of its own, on free ports of loopback. */
public final class ServerProcess implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("listening on (https?|rediss?)://\\S*?:(\\d+)");

    private static final List<String> USUAL = List.of("-Xmx512m");

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

    public static ServerProcess start(String... options) {
        return start(Map.of(), options);
    }

    public static ServerProcess start(Map<String, String> environment, String... options) {
        return start(USUAL, environment, options);
    }

    /** @param jvm options of the JVM */
    public static ServerProcess start(List<String> jvm, Map<String, String> environment, String... options) {
        ProcessBuilder builder = new ProcessBuilder(command(jvm, options));
        builder.environment().putAll(environment);
        return started(builder);
    }

    private static List<String> command(List<String> jvm, String... options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvm);
        command.addAll(List.of(
                "-jar", Path.of("target", "sluice.jar").toString(), "serve", "--port", "0", "--resp-port", "0"));
        command.addAll(List.of(options));
        return command;
    }

    private static ServerProcess started(ProcessBuilder builder) {
        try {
            return new ServerProcess(builder.redirectErrorStream(true).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** With so many file descriptors at most. */
    static ServerProcess startWithFiles(int files, String... options) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -n " + files + " && exec \"$@\"", "sh"));
        command.addAll(command(USUAL, options));
        return started(new ProcessBuilder(command));
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

    public int port() {
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

    /** The memory that it has in use, by the kernel's account, in kilobytes. */
    long residentKb() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        throw new IOException("it has no memory: it has ended\n" + log());
    }

    /** What it has printed so far. */
    String log() {
        synchronized (log) {
            return String.join("\n", log);
        }
    }

    /** As {@code kill -9}. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** As {@code kill -STOP}: it keeps its connections, accepts others, and answers none. */
    public void suspend() throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-STOP", Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
            throw new IllegalStateException("kill -STOP " + process.pid() + ": " + code);
        }
        // One of its threads has to run before all are stopped: on a busy machine others go on answering until then.
        Eventually.await("every thread of the server is stopped", this::isSuspended);
    }

    private boolean isSuspended() {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            return threads.allMatch(ServerProcess::isStopped);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** By the letter behind the thread's name, which is in parentheses. */
    private static boolean isStopped(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            return stat.startsWith(") T", stat.lastIndexOf(')'));
        } catch (IOException e) {
            // It has ended.
            return true;
        }
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
