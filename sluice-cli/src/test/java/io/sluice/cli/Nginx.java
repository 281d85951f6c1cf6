package io.sluice.cli;

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

/** nginx as a process of its own, that asks Sluice as {@code docs/guides/gateways.md} says. */
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

    /** For the status as it comes from Sluice. */
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
     * Starts one for tests of decisions: it waits for them, however busy the machine is. Tenants have the password {@code
     * secret}.
     */
    static Nginx start(Path directory, int sluice, int backend) throws IOException, InterruptedException {
        return start(directory, documented(Without.OPEN).replace("100ms", "20s"), sluice, backend);
    }

    /** Starts one as it is documented. */
    static Nginx start(Path directory, Without without, int sluice, int backend)
            throws IOException, InterruptedException {
        return start(directory, documented(without), sluice, backend);
    }

    /** Between choosing a port and listening there, somebody else may take it: then it is another one. */
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
        // As long as another listens there, nginx tries again, and ends after some seconds.
        while (!Files.exists(directory.resolve("nginx.pid")) || !nginx.listens()) {
            if (!process.isAlive()) {
                throw new IllegalStateException("nginx ended: " + Files.readString(log));
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        return nginx;
    }

    /** What users are told to write. */
    private static String documented(Without without) {
        String open = Snippets.marked("NginxIT runs this");
        if (without == Without.OPEN) {
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
