package io.sluice.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** nginx as a process of its own, that asks Sluice as {@code docs/gateways.md} says. */
final class Nginx implements AutoCloseable {
    private static final Path GATEWAYS = Path.of("..", "docs", "gateways.md");
    private static final Pattern SNIPPET =
            Pattern.compile("<!-- NginxIT runs this -->\\R```nginx\\R(.*?)```", Pattern.DOTALL);

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

    /** Between choosing a port and listening there, somebody else may take it: then it is another one. */
    static Nginx start(Path directory, int sluice, int backend) throws IOException, InterruptedException {
        while (true) {
            try {
                return start(directory, sluice, backend, freePort());
            } catch (IllegalStateException e) {
                if (!String.valueOf(e.getMessage()).contains("Address already in use")) {
                    throw e;
                }
            }
        }
    }

    private static Nginx start(Path directory, int sluice, int backend, int port)
            throws IOException, InterruptedException {
        Path configuration = Files.writeString(
                directory.resolve("nginx.conf"),
                AROUND.replace("SNIPPET", documented())
                        .replace("location / {", PLAIN + "location / {")
                        .replace("127.0.0.1:8080", "127.0.0.1:" + sluice)
                        .replace("127.0.0.1:9000", "127.0.0.1:" + backend)
                        .replace("listen 8000", "listen 127.0.0.1:" + port));
        Path log = directory.resolve("nginx.log");
        Process process = new ProcessBuilder(
                        executable().toString(),
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
    private static String documented() throws IOException {
        Matcher snippet = SNIPPET.matcher(Files.readString(GATEWAYS));
        if (!snippet.find()) {
            throw new IllegalStateException(GATEWAYS + ": no snippet for nginx");
        }
        return snippet.group(1);
    }

    private static Path executable() {
        for (String directory :
                List.of("/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/bin")) {
            Path nginx = Path.of(directory, "nginx");
            if (Files.isExecutable(nginx)) {
                return nginx;
            }
        }
        throw new IllegalStateException(
                "no nginx (expected: the system's package of that name; scripts/test installs it where it can)");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private boolean listens() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .version(HttpClient.Version.HTTP_1_1);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
