package io.sluice.cli.docs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** {@code sluice serve} from the packaged jar, on free ports of loopback. */
final class Service implements AutoCloseable {
    static final Path JAR = Path.of("target", "sluice.jar").toAbsolutePath();
    static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    static final String TOKEN = "a-token-of-the-tests-of-the-docs";

    final int port = freePort();
    final int respPort = freePort();
    private final Path out;
    private final Process process;

    private Service(Path directory, String... options) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(JAVA, "-Xmx256m", "-XX:TieredStopAtLevel=1", "-jar", JAR.toString(), "serve"));
        command.addAll(List.of("--port", Integer.toString(port), "--resp-port", Integer.toString(respPort)));
        command.addAll(List.of(options));
        out = directory.resolve("service-" + port + ".out");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
        builder.environment().put("SLUICE_ADMIN_TOKEN", TOKEN);
        process = builder.start();
    }

    /** Starts one and waits until it listens. */
    static Service start(Path directory, String... options) throws IOException {
        Service service = new Service(directory, options);
        long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (!Files.readString(service.out).contains("\nlistening on redis://")) {
            if (!service.process.isAlive() || System.nanoTime() > end) {
                throw new IllegalStateException("the service does not listen:\n" + Files.readString(service.out));
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        return service;
    }

    String get(String path) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException("no free port", e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
