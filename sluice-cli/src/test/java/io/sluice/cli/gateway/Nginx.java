package io.sluice.cli.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Starts nginx with the snippet of {@code docs/guides/gateways.md}. */
final class Nginx implements Gateway {
    private static final Pattern WITHOUT =
            Pattern.compile("  # Fail open[^\\n]*\\R  location @sluice_away \\{.*?\\R  }\\R", Pattern.DOTALL);

    private static final String AROUND = """
            daemon off;
            master_process off;
            pid nginx.pid;
            error_log stderr;
            events {}
            http {
              access_log off;
              client_body_temp_path body;
              proxy_temp_path proxy;
              fastcgi_temp_path fastcgi;
              uwsgi_temp_path uwsgi;
              scgi_temp_path scgi;
              SNIPPET
            }
            """;

    /** A location that returns the status of Sluice unchanged. */
    private static final String PLAIN = """
            location /plain/ {
              auth_basic "API";
              auth_basic_user_file /etc/nginx/tenants;
              auth_request /sluice;
              proxy_pass http://backend;
            }
            """;

    private final Process process;
    private final int port;

    private Nginx(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Starts nginx with a long timeout, for tests of decisions on a busy machine. Tenants have the password {@code
     * secret}.
     */
    static Nginx start(Path directory, int sluice, int backend) throws IOException, InterruptedException {
        return start(directory, documented(FailureMode.OPEN).replace("100ms", "20s"), sluice, backend);
    }

    /** Starts nginx exactly as documented. */
    static Nginx start(Path directory, FailureMode mode, int sluice, int backend)
            throws IOException, InterruptedException {
        return start(directory, documented(mode), sluice, backend);
    }

    /** Repeats the start if another process has taken the port meanwhile. */
    private static Nginx start(Path directory, String snippet, int sluice, int backend)
            throws IOException, InterruptedException {
        while (true) {
            try {
                return start(directory, snippet, sluice, backend, Snippets.freePort());
            } catch (IllegalStateException e) {
                if (!String.valueOf(e.getMessage()).contains("Address already in use")) {
                    throw e;
                }
            }
        }
    }

    private static Nginx start(Path directory, String snippet, int sluice, int backend, int port)
            throws IOException, InterruptedException {
        Path tenants = Files.writeString(
                directory.resolve("tenants"),
                Stream.of("acme", "other", "plain", "made-up")
                        .map(tenant -> tenant + ":{PLAIN}secret\n")
                        .collect(Collectors.joining()));
        Path configuration = Files.writeString(
                directory.resolve("nginx.conf"),
                AROUND.replace("SNIPPET", snippet)
                        .replace("location / {", PLAIN + "location / {")
                        .replace("/etc/nginx/tenants", tenants.toString())
                        .replace("127.0.0.1:8080", "127.0.0.1:" + sluice)
                        .replace("127.0.0.1:9000", "127.0.0.1:" + backend)
                        .replace("listen 8000", "listen 127.0.0.1:" + port));
        Path log = directory.resolve("nginx.log");
        Process process = new ProcessBuilder(
                        Snippets.program("nginx").toString(),
                        "-p",
                        directory.toString(),
                        "-e",
                        "stderr",
                        "-c",
                        configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Nginx nginx = new Nginx(process, port);
        // While another process listens on the port, nginx retries, and ends after some seconds.
        while (!Files.exists(directory.resolve("nginx.pid")) || !nginx.listens()) {
            if (!process.isAlive()) {
                throw new IllegalStateException("nginx ended: " + Files.readString(log));
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        return nginx;
    }

    /** The snippet from the documentation. */
    private static String documented(FailureMode mode) {
        String open = Snippets.marked("NginxIT runs this");
        if (mode == FailureMode.OPEN) {
            return open;
        }
        Matcher replaced = WITHOUT.matcher(open);
        if (!replaced.find()) {
            throw new IllegalStateException("no place for the other choice (expected: a location @sluice_away)");
        }
        return replaced.replaceFirst(Matcher.quoteReplacement(Snippets.marked("NginxIT runs this to fail closed")));
    }

    private boolean listens() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .version(HttpClient.Version.HTTP_1_1);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
