package io.sluice.testkit.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One real {@code redis-server} on a port of 127.0.0.1, without persistence unless the options say so.
 *
 * <pre>{@code
 * try (RedisProcess redis = RedisProcess.start("--maxmemory", "10mb")) {
 *     redis.command("SET", "a", "1");
 *     redis.kill();
 *     redis.restart();
 * }
 * }</pre>
 *
 * <p>It is Redis 7.0.15, or the binary that the system property {@code sluice.redis.binary} names. All threads may send
 * commands; only one thread at a time may start or end the process. A method that waits throws {@code IllegalStateException}
 * after 30 seconds.
 */
public final class RedisProcess implements AutoCloseable {
    private static final int READ_MILLIS = 5_000;
    private static final int PROBE_MILLIS = 500;

    private final int port;
    private final @Nullable String password;
    private final Server server;

    private RedisProcess(int port, String configuration, List<String> options) {
        int password = options.indexOf("--requirepass");
        this.port = port;
        this.password = password < 0 ? null : options.get(password + 1);
        this.server = new Server(port, configuration, options);
    }

    /**
     * Starts a server on a free port and waits until it answers.
     *
     * @param options as on the command line, such as {@code "--maxmemory", "10mb"}; they override the defaults
     */
    public static RedisProcess start(String... options) {
        return start("", List.of(options));
    }

    /** Starts a server on that port, waiting if the port is briefly busy, until it answers. */
    public static RedisProcess startAt(int port, String... options) {
        RedisProcess process = new RedisProcess(port, "", List.of(options));
        try {
            process.restart();
            return process;
        } catch (RuntimeException e) {
            process.close();
            throw e;
        }
    }

    /** Starts a server whose configuration file begins as given; it may rewrite that file. */
    static RedisProcess start(String configuration, List<String> options) {
        for (int i = 0; i < 5; i++) {
            RedisProcess process = new RedisProcess(Ports.next(), configuration, options);
            try {
                if (process.tryStart()) {
                    return process;
                }
            } catch (RuntimeException e) {
                process.close();
                throw e;
            }
            process.close();
        }
        throw new IllegalStateException("others took every port that was free");
    }

    /** The port of 127.0.0.1 at which it listens, the same after every restart. */
    public int port() {
        return port;
    }

    /** For example {@code redis://127.0.0.1:16379}, with the password if the options have one. */
    public String uri() {
        return "redis://" + (password == null ? "" : ":" + password + "@") + "127.0.0.1:" + port;
    }

    /** The id of the process, another one after a restart. */
    public long pid() {
        return server.pid();
    }

    /** Whether the process runs: it was not killed or paused, and has not ended. */
    public boolean isRunning() {
        return server.isRunning();
    }

    /** Ends the process as {@code kill -9} does, and waits until it is gone. */
    public void kill() {
        server.kill();
    }

    /** Stops the process (SIGSTOP): connections stay open, and there are no answers. */
    public void pause() {
        server.pause();
    }

    /** Continues a paused process. It handles all commands that were sent meanwhile. */
    public void resume() {
        server.resume();
    }

    /** Starts it again, with the same port, options and files, and waits until it answers. Kills it first if it runs. */
    public void restart() {
        kill();
        Await.until(() -> "port " + port + " is free", this::tryStart);
    }

    private boolean tryStart() {
        server.launch();
        Await.until(() -> "it answers: " + server, () -> server.hasEnded() || answers());
        if (!server.hasEnded()) {
            return true;
        }
        if (server.portWasTaken()) {
            return false;
        }
        throw new IllegalStateException("the server ended at once: " + server);
    }

    /** Another server may have the port, or a process that never answers. */
    private boolean answers() {
        String info = Resp.text(call(UTF_8, PROBE_MILLIS, List.of("INFO", "server")));
        boolean itself = Long.toString(pid()).equals(fields(info).get("process_id"));
        return itself && command("PING").equals("PONG");
    }

    /**
     * Sends a command on a connection of its own (so MULTI, SELECT and WAIT are of no use), and returns the reply as text:
     * a number in decimal, nil as {@code (nil)}, of an array each element on a line.
     *
     * @throws RedisReplyException if the server replies with an error
     * @throws UncheckedIOException if it cannot be reached, or does not answer within 5 seconds
     */
    public String command(String... command) {
        return Resp.text(reply(command));
    }

    /**
     * As {@link #command}, but returns the reply as it is: a {@code String}, a {@code Long}, a {@code List} of replies, or
     * null for nil; inside a list, an error is a {@link RedisReplyException}.
     */
    public @Nullable Object reply(String... command) {
        return call(UTF_8, READ_MILLIS, List.of(command));
    }

    /** As {@link #reply}, but each char stands for a byte, for binary keys. */
    @Nullable
    Object replyInBytes(List<String> command) {
        return call(ISO_8859_1, READ_MILLIS, command);
    }

    private @Nullable Object call(Charset charset, int readMillis, List<String> command) {
        try (Resp connection = new Resp(port, charset, readMillis)) {
            if (password != null) {
                connection.call(List.of("AUTH", password));
            }
            return connection.call(command);
        } catch (IOException e) {
            throw new UncheckedIOException("port " + port + ", " + command.get(0) + ": " + e.getMessage(), e);
        }
    }

    /** A section of INFO, such as {@code commandstats}, from field to value. */
    public Map<String, String> info(String section) {
        return fields(command("INFO", section));
    }

    /** The lines of the form {@code field:value}. */
    static Map<String, String> fields(String text) {
        Map<String, String> fields = new TreeMap<>();
        text.lines().filter(line -> line.indexOf(':') > 0).forEach(line -> {
            int colon = line.indexOf(':');
            fields.put(line.substring(0, colon), line.substring(colon + 1));
        });
        return fields;
    }

    /** How often a command such as {@code evalsha} ran, since the start or since CONFIG RESETSTAT. */
    public long calls(String command) {
        String calls = info("commandstats").getOrDefault("cmdstat_" + command, "calls=0,");
        return Long.parseLong(calls.substring("calls=".length(), calls.indexOf(',')));
    }

    /*
     * The master must not use repl-diskless-sync: then it may not send the writes of the next second, although the replica
     * says that it is attached.
     */

    /** Whether it is a replica that is attached to its master. */
    boolean isAttached() {
        Map<String, String> replication = info("replication");
        return "slave".equals(replication.get("role")) && "up".equals(replication.get("master_link_status"));
    }

    void awaitAttached() {
        Await.until(() -> this + " is attached to its master", this::isAttached);
    }

    /** The log of the server since its latest start. */
    public String log() {
        return server.log();
    }

    /** Ends the process and deletes its files. */
    @Override
    public void close() {
        server.close();
    }

    @Override
    public String toString() {
        return "RedisProcess[port=" + port + "]";
    }
}
