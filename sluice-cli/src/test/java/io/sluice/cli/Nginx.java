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

/** nginx as a process of its own, that asks Sluice by {@code auth_request}. */
final class Nginx implements AutoCloseable {
    private static final String CONFIGURATION = """
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
              upstream sluice {
                server 127.0.0.1:SLUICE;
                keepalive 8;
              }
              server {
                listen 127.0.0.1:PORT;
                auth_request_set $ratelimit $upstream_http_ratelimit;
                auth_request_set $ratelimit_policy $upstream_http_ratelimit_policy;
                auth_request_set $retry_after $upstream_http_retry_after;
                location / {
                  auth_request /sluice;
                  add_header RateLimit $ratelimit always;
                  error_page 403 = @limited;
                  proxy_pass http://127.0.0.1:BACKEND;
                }
                location /plain/ {
                  auth_request /sluice;
                  proxy_pass http://127.0.0.1:BACKEND;
                }
                location = /sluice {
                  internal;
                  proxy_pass http://sluice/v1/auth?deny=403;
                  proxy_http_version 1.1;
                  proxy_set_header Connection "";
                  proxy_pass_request_body off;
                  proxy_set_header Content-Length "";
                  proxy_set_header X-Original-Method $request_method;
                  proxy_set_header X-Original-URI $request_uri;
                  proxy_set_header X-Forwarded-For $remote_addr;
                  proxy_set_header X-Sluice-Tenant $http_x_api_key;
                }
                location @limited {
                  add_header RateLimit $ratelimit always;
                  add_header RateLimit-Policy $ratelimit_policy always;
                  add_header Retry-After $retry_after always;
                  return 429;
                }
              }
            }
            """;

    private final Process process;
    private final int port;

    private Nginx(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static Nginx start(Path directory, int sluice, int backend) throws IOException, InterruptedException {
        int port = freePort();
        Path configuration = Files.writeString(
                directory.resolve("nginx.conf"),
                CONFIGURATION
                        .replace("SLUICE", "" + sluice)
                        .replace("BACKEND", "" + backend)
                        .replace("PORT", "" + port));
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
        while (!nginx.listens()) {
            if (!process.isAlive()) {
                throw new IllegalStateException("nginx ended: " + Files.readString(log));
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        return nginx;
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
