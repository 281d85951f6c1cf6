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

/** A stopping server does not wait for connections without requests. */
class StopTest {
    /** HTTP/1, because this HTTP/2 client drops its streams when the server accepts no new ones. */
    private static final HttpClient HTTP_1 =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static ServerConfig.Builder config() {
        return AdminClient.config().stopDeadline(Duration.ofMinutes(5));
    }

    private static void stop(SluiceServer server) throws Exception {
        // On its own thread, so that the waiting thread does not run it.
        CompletableFuture.runAsync(server::close, task -> {
                    Thread thread = new Thread(task, "stop");
                    thread.setDaemon(true);
                    thread.start();
                })
                .get(60, TimeUnit.SECONDS);
    }

    @Test
    void close_withAnIdleRespClient_closesIt() throws Exception {
        SluiceServer server = SluiceServer.start(config().respPort(0).build());
        try (RawConnection wire = new RawConnection(server.respPort())) {
            assertThat(wire.send("PING\r\n").read(7)).isEqualTo("+PONG\r\n");

            stop(server);

            assertThat(wire.rest()).isEmpty();
        }
    }

    @Test
    void close_withAnEventListener_endsTheStream() throws Exception {
        SluiceServer server = SluiceServer.start(config().build());
        try (Stream<String> stream = HTTP_1.send(
                        new AdminClient(server.port()).request("/v1/events").build(), BodyHandlers.ofLines())
                .body()) {
            Iterator<String> lines = stream.iterator();
            assertThat(lines.next()).startsWith("retry:");

            stop(server);

            // Throws unless the stream ends cleanly.
            lines.forEachRemaining(line -> assertThat(line).isNotNull());
        }
    }

    @Test
    void close_withAHealthWatch_sendsNotServing_andEndsTheStream() throws Exception {
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
