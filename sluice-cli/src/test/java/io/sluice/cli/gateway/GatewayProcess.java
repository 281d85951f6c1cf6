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
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/** A gateway process that listens on its ports. */
final class GatewayProcess implements Gateway {
    private final Process process;
    private final int port;

    private GatewayProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Writes the configuration of a gateway for these ports. */
    interface Start {
        /**
         * Writes the configuration.
         *
         * @param port the port for clients
         * @param inner the port for requests of the gateway to itself
         * @return the command that starts the gateway
         */
        List<String> command(int port, int inner) throws IOException;
    }

    /** Repeats the start if another process has taken a port meanwhile. */
    static GatewayProcess start(Path directory, Start start) throws IOException, InterruptedException {
        while (true) {
            try {
                return once(directory, start);
            } catch (IllegalStateException e) {
                String told = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
                if (!told.contains("address already in use") && !told.contains("cannot bind socket")) {
                    throw e;
                }
            }
        }
    }

    private static GatewayProcess once(Path directory, Start start) throws IOException {
        int port = Snippets.freePort();
        int inner = Snippets.freePort();
        Path log = directory.resolve("gateway.log");
        ProcessBuilder builder = new ProcessBuilder(start.command(port, inner))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("HOME", directory.toString());
        Process process = builder.start();
        while (!listens(port) || !listens(inner)) {
            if (!process.isAlive()) {
                throw new IllegalStateException("the gateway ended: " + Files.readString(log));
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        return new GatewayProcess(process, port);
    }

    private static boolean listens(int port) {
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
