package io.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.SocketChannel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Connections that send nothing. */
class IdleConnectionsIT {
    private static final int MANY = 10_000;

    /** The JVM and the server need about 30 MB of it before the first connection. */
    private static final Map<String, String> SMALL_HEAP = Map.of("_JAVA_OPTIONS", "-Xmx128m");

    @Test
    void tenThousand_fitIntoASmallHeap_andOthersAreAnswered() throws IOException, InterruptedException {
        List<SocketChannel> idle = new ArrayList<>();
        try (ServerProcess server = ServerProcess.start(SMALL_HEAP, "--idle-timeout", "10m")) {
            for (int i = 0; i < MANY; i++) {
                int port = i % 2 == 0 ? server.port() : server.respPort();
                idle.add(SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
            }

            // The server may not have accepted the last connections yet.
            Instant end = Instant.now().plusSeconds(60);
            while (open(server) < MANY) {
                assertThat(Instant.now()).as("connections are accepted before").isBefore(end);
            }
            assertThat(server.log()).doesNotContain("OutOfMemory");
        } finally {
            for (SocketChannel each : idle) {
                each.close();
            }
        }
    }

    private static double open(ServerProcess server) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(server.uri("/metrics")).build(), BodyHandlers.ofLines())
                .body()
                .filter(line -> line.startsWith("sluice_connections{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }
}
