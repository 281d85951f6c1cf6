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

/** Runs {@code sluice serve} from the packaged jar in its own process, on free loopback ports. */
public final class ServerProcess implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("listening on (https?|rediss?)://\\S*?:(\\d+)");

    /** Servers of tests end before the optimizing compiler would pay. */
    private static final List<String> USUAL = List.of("-Xmx512m", "-XX:TieredStopAtLevel=1");

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

    /** Starts a server with JVM options. */
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

    /** Starts a server in another way: the command must end with {@code serve} and its options. */
    public static ServerProcess started(ProcessBuilder builder) {
        try {
            return new ServerProcess(builder.redirectErrorStream(true).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a server with a limit of file descriptors. */
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

    /** The resident memory of the process, in kilobytes. */
    long residentKb() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        throw new IOException("it has no memory: it has ended\n" + log());
    }

    /** The output so far. */
    public String log() {
        synchronized (log) {
            return String.join("\n", log);
        }
    }

    /** Kills the process, like {@code kill -9}. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Suspends the process, like {@code kill -STOP}: it keeps and accepts connections, but answers no request. */
    public void suspend() throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-STOP", Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
            throw new IllegalStateException("kill -STOP " + process.pid() + ": " + code);
        }
        // The kernel stops all threads only when one of them runs. On a busy machine the others answer until then.
        Eventually.await("every thread of the server is stopped", this::isSuspended);
    }

    private boolean isSuspended() {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            return threads.allMatch(ServerProcess::isStopped);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether a thread is stopped: the state letter follows the name in parentheses. */
    private static boolean isStopped(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            return stat.startsWith(") T", stat.lastIndexOf(')'));
        } catch (IOException e) {
            // The thread has ended.
            return true;
        }
    }

    /** Stops the process, like {@code kill}. */
    public int stop() throws InterruptedException {
        // ProcessHandle.destroy keeps the streams open. Process.destroy would close them, and the last log lines would
        // be lost.
        process.toHandle().destroy();
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
