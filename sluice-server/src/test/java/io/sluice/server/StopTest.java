package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who is connected and asks for nothing is not waited for. */
class StopTest {
    /** In HTTP/2 this client gives up on streams as soon as it hears that no more may be opened. */
    private static final HttpClient HTTP_1 =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static ServerConfig.Builder config() {
        return AdminClient.config().stopDeadline(Duration.ofMinutes(5));
    }

    private static void stop(SluiceServer server) throws Exception {
        // On a thread of its own, so that it is not run by who waits for it.
        CompletableFuture.runAsync(server::close, task -> {
                    Thread thread = new Thread(task, "stop");
                    thread.setDaemon(true);
                    thread.start();
                })
                .get(60, TimeUnit.SECONDS);
    }

    @Test
    void close_withAnIdleClientOfResp_closesIt() throws Exception {
        SluiceServer server = SluiceServer.start(config().respPort(0).build());
        try (Wire wire = new Wire(server.respPort())) {
            assertThat(wire.send("PING\r\n").read(7)).isEqualTo("+PONG\r\n");

            stop(server);

            assertThat(wire.rest()).isEmpty();
        }
    }

    @Test
    void close_withAListenerToEvents_endsTheStream() throws Exception {
        SluiceServer server = SluiceServer.start(config().build());
        try (Stream<String> stream = HTTP_1.send(
                        new AdminClient(server.port()).request("/v1/events").build(), BodyHandlers.ofLines())
                .body()) {
            Iterator<String> lines = stream.iterator();
            assertThat(lines.next()).startsWith("retry:");

            stop(server);

            // Throws unless the end is clean.
            lines.forEachRemaining(line -> assertThat(line).isNotNull());
        }
    }

    @Test
    void close_withAWatcherOfHealth_tellsItAndEndsTheStream() throws Exception {
        SluiceServer server = SluiceServer.start(config().build());
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port())
                .usePlaintext()
                .build();
        try {
            Iterator<HealthCheckResponse> told =
                    HealthGrpc.newBlockingStub(channel).watch(HealthCheckRequest.getDefaultInstance());
            assertThat(told.next().getStatus()).isEqualTo(ServingStatus.SERVING);

            stop(server);

            assertThat(told.next().getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
            assertThat(catchThrowableOfType(StatusRuntimeException.class, told::hasNext)
                            .getStatus())
                    .extracting(Status::getCode, Status::getDescription)
                    .containsExactly(Status.Code.UNAVAILABLE, "the server is stopping");
        } finally {
            channel.shutdownNow();
        }
    }
}
