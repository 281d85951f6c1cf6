package io.sluice.benchmarks.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** An nginx process with {@code limit_req}, in its own directory. */
final class Nginx implements AutoCloseable {
    static final String NAME = "nginx";

    /*
     * A plain `return` would answer before the limit is checked. A named location is entered after the check.
     */
    private static final String CONFIG = """
            daemon off;
            USER
            worker_processes 1;
            pid nginx.pid;
            error_log stderr error;
            events { worker_connections 1024; }
            http {
              access_log off;
              keepalive_requests 100000000;
              client_body_temp_path body;
              proxy_temp_path proxy;
              fastcgi_temp_path fastcgi;
              uwsgi_temp_path uwsgi;
              scgi_temp_path scgi;
              limit_req_zone $binary_remote_addr zone=all:1m rate=1000000r/s;
              server {
                listen 127.0.0.1:PORT;
                location / {
                  limit_req zone=all burst=1000000 nodelay;
                  try_files "" @limited;
                }
                location @limited { return 200 "BODY"; }
              }
            }
            """;

    private final Process process;
    private final int port;

    private Nginx(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static Nginx start(Path command, Path directory, int bodyBytes) throws IOException, InterruptedException {
        int port = freePort();
        Path config = directory.resolve("nginx.conf");
        Files.writeString(
                config,
                CONFIG.replace("USER", isRoot() ? "user root root;" : "")
                        .replace("PORT", Integer.toString(port))
                        .replace("BODY", "x".repeat(bodyBytes)),
                UTF_8);
        Process process = new ProcessBuilder(
                        command.toString(), "-p", directory.toString(), "-c", config.toString(), "-e", "stderr")
                .redirectError(Redirect.INHERIT)
                .redirectOutput(Redirect.DISCARD)
                .start();
        Nginx nginx = new Nginx(process, port);
        nginx.awaitListening();
        return nginx;
    }

    /** Whether this process is root. nginx would then change its user, who cannot read the directory. */
    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private static int freePort() throws IOException {
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return any.getLocalPort();
        }
    }

    private void awaitListening() throws IOException, InterruptedException {
        while (!process.waitFor(20, TimeUnit.MILLISECONDS)) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return;
            } catch (IOException e) {
                // Not yet.
            }
        }
        throw new IOException(NAME + ": exit code " + process.exitValue());
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
