package io.sluice.testkit.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The process of a server, its directory and its log. It does not talk to the server. */
final class Server {
    private static final String CONFIGURATION = "redis.conf";
    private static final String LOG = "redis.log";
    private static final int TAIL_LINES = 20;

    private final Path directory;
    private final List<String> command;
    private volatile @Nullable Process process;
    private volatile CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);
    private volatile boolean paused;

    Server(int port, String configuration, List<String> options) {
        this.command = new ArrayList<>(List.of(Binary.path().toString(), CONFIGURATION));
        command.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1"));
        command.addAll(List.of("--save", "", "--appendonly", "no"));
        command.addAll(options);
        this.directory = WorkDirectory.newDirectory();
        try {
            Files.writeString(directory.resolve(CONFIGURATION), configuration);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void launch() {
        try {
            Process launched = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve(LOG).toFile())
                    .start();
            process = launched;
            ended = WorkDirectory.watch(directory, launched);
        } catch (IOException e) {
            throw new IllegalStateException("cannot run: " + this, e);
        }
    }

    long pid() {
        Process current = process;
        if (current == null) {
            throw new IllegalStateException("never started: " + this);
        }
        return current.pid();
    }

    boolean hasEnded() {
        Process current = process;
        return current == null || !current.isAlive();
    }

    boolean isRunning() {
        return !paused && !hasEnded();
    }

    /** Whether the latest launch failed because the port, or the cluster bus port, was in use. */
    boolean portWasTaken() {
        return log().contains("Failed listening on port");
    }

    void kill() {
        Process current = process;
        if (current != null) {
            current.destroyForcibly();
        }
        ended.copy().orTimeout(10, TimeUnit.SECONDS).join();
        paused = false;
    }

    void pause() {
        signal("STOP");
        paused = true;
    }

    void resume() {
        signal("CONT");
        paused = false;
    }

    /** Sends a signal by the kill command of the shell, because not every machine has another one. */
    private void signal(String name) {
        if (hasEnded()) {
            throw new IllegalStateException("signal " + name + " to a server that has ended: " + this);
        }
        try {
            Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(kill.getInputStream().readAllBytes(), UTF_8);
            int status = kill.onExit().join().exitValue();
            if (status != 0) {
                throw new IllegalStateException("signal " + name + ": " + said);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String log() {
        try {
            Path log = directory.resolve(LOG);
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void close() {
        if (paused && !hasEnded()) {
            resume();
        }
        kill();
        WorkDirectory.delete(directory);
    }

    /** The command line and the end of the log, to find out what went wrong. */
    @Override
    public String toString() {
        List<String> lines = log().lines().toList();
        String tail = lines.stream()
                .skip(Math.max(0, lines.size() - TAIL_LINES))
                .map(line -> "\n    " + line)
                .collect(Collectors.joining());
        return String.join(" ", command) + tail;
    }
}
