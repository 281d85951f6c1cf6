package io.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** More connections than allowed, and an honest client beside them. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ConnectionCapIT {
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<SocketChannel> hostile = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (SocketChannel one : hostile) {
            one.close();
        }
    }

    private void open(int count, String address, int port) throws IOException {
        for (int i = 0; i < count; i++) {
            SocketChannel one = SocketChannel.open().bind(new InetSocketAddress(address, 0));
            one.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            hostile.add(one);
        }
    }

    /** The number of connections that the server has closed. It may not have accepted the last ones yet. */
    private long closed() {
        return hostile.stream().filter(ConnectionCapIT::isClosed).count();
    }

    private static boolean isClosed(SocketChannel one) {
        try {
            one.configureBlocking(false);
            return one.read(ByteBuffer.allocate(1)) < 0;
        } catch (IOException e) {
            return true;
        }
    }

    private void awaitClosed(long count) {
        Eventually.await(count + " connections are closed", () -> closed() >= count);
        assertThat(closed()).isEqualTo(count);
    }

    private void assertServed(ServerProcess server) throws IOException, InterruptedException {
        HttpRequest check = HttpRequest.newBuilder(server.uri("/v1/check"))
                .POST(BodyPublishers.ofString("{\"attributes\":{}}"))
                .build();
        assertThat(client.send(check, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }

    private String metrics(ServerProcess server) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(server.uri("/metrics")).build(), BodyHandlers.ofString())
                .body();
    }

    @Test
    void connections_overThePortsCap_areClosed_andTheOthersAreServed() throws IOException, InterruptedException {
        try (ServerProcess server = ServerProcess.start("--max-connections", "20")) {
            assertServed(server);
            open(50, "127.0.0.1", server.port());
            open(50, "127.0.0.1", server.respPort());

            awaitClosed(31 + 30);

            assertServed(server);
            assertThat(metrics(server))
                    .contains("sluice_connections_refused_total{cap=\"port\",listener=\"http\"} 31.0")
                    .contains("sluice_connections_refused_total{cap=\"port\",listener=\"resp\"} 30.0");
            assertThat(server.log().lines().filter(line -> line.contains("--max-connections")))
                    .hasSize(2)
                    .allMatch(line -> line.contains("more than 20 connections"));
        }
    }

    @Test
    void connections_overAnAddresssCap_areClosed_andOtherAddressesAreServed() throws IOException, InterruptedException {
        try (ServerProcess server =
                ServerProcess.start("--max-connections-per-address", "10", "--trusted-proxies", "127.0.0.1")) {
            open(30, "127.0.0.2", server.port());
            open(30, "127.0.0.2", server.respPort());
            open(30, "127.0.0.1", server.port());

            awaitClosed(20 + 20);

            open(5, "127.0.0.3", server.port());
            assertServed(server);
            assertThat(closed()).isEqualTo(40);
            assertThat(metrics(server)).contains("{cap=\"address\",listener=\"http\"} 20.0");
        }
    }

    @Test
    void connections_thatHaveLeft_makeRoom() throws IOException, InterruptedException {
        try (ServerProcess server = ServerProcess.start("--max-connections", "20")) {
            for (int round = 0; round < 5; round++) {
                open(30, "127.0.0.1", server.respPort());
                awaitClosed(10);
                close();
                hostile.clear();
                Eventually.await("they have left", () -> {
                    try {
                        return metrics(server).contains("sluice_connections{listener=\"resp\"} 0.0");
                    } catch (IOException | InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                });
            }
        }
    }

    @Test
    void server_withFewFileDescriptors_goesOnAnswering() throws IOException, InterruptedException {
        try (ServerProcess server = ServerProcess.startWithFiles(1024)) {
            open(1000, "127.0.0.1", server.respPort());
            open(200, "127.0.0.1", server.port());

            awaitClosed(1000 - 384);

            assertServed(server);
            assertThat(server.log()).contains("at most 384 for each port instead of 10000");
        }
    }
}
