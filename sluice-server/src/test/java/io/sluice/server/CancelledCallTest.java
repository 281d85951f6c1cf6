package io.sluice.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.rls.proto.HealthCheckRequest;
import io.sluice.server.rls.proto.RateLimitDescriptor;
import io.sluice.server.rls.proto.RateLimitRequest;
import io.sluice.server.wire.Http2Client;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cancelled call does not end other calls of its connection. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class CancelledCallTest {
    private static final String DECIDE = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
    private static final String WATCH = "/grpc.health.v1.Health/Watch";
    private static final String GRPC = "application/grpc";
    private static final byte[] CALL = message(RateLimitRequest.newBuilder()
            .setDomain("edge")
            .addDescriptors(RateLimitDescriptor.newBuilder()
                    .addEntries(
                            RateLimitDescriptor.Entry.newBuilder().setKey("a").setValue("b")))
            .build()
            .toByteArray());
    private static final byte[] ANY =
            message(HealthCheckRequest.getDefaultInstance().toByteArray());
    private static final byte[] CHECK = "{\"attributes\":{}}".getBytes(UTF_8);

    private static TestServer site;

    @BeforeAll
    static void open() {
        site = TestServer.open();
    }

    @AfterAll
    static void close() {
        site.close();
    }

    private static byte[] message(byte[] bytes) {
        return ByteBuffer.allocate(5 + bytes.length)
                .put((byte) 0)
                .putInt(bytes.length)
                .put(bytes)
                .array();
    }

    private static Http2Client call(Http2Client wire, int stream) {
        return wire.post(stream, DECIDE, GRPC, CALL);
    }

    @Test
    void call_cancelledInTheSameReadAsItsRequest_leavesTheConnectionOpen() {
        try (Http2Client wire = new Http2Client(site.port())) {
            for (int stream = 1; stream < 200; stream += 4) {
                call(call(wire, stream).cancel(stream), stream + 2).send();

                assertThat(wire.readsResponse(stream + 2)).isTrue();
            }
        }
    }

    @Test
    void call_withDataAfterItsCancellation_leavesTheConnectionOpen() {
        try (Http2Client wire = new Http2Client(site.port())) {
            wire.head(1, DECIDE, GRPC).data(1, CALL, false).cancel(1).data(1, CALL, true);
            call(wire, 3).cancel(3).data(3, CALL, true);
            call(wire, 5).send();

            assertThat(wire.readsResponse(5)).isTrue();
        }
    }

    /** With each of these windows, the unsent part of the response is in another queue. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 200})
    void call_cancelledWhileItsAnswerWaits_leavesTheConnectionOpen(int window) {
        try (Http2Client wire = new Http2Client(site.port())) {
            call(wire.window(window), 1).send().awaitHead(1);
            call(wire.cancel(1).window(65_535), 3).send();

            assertThat(wire.readsResponse(3)).isTrue();
        }
    }

    @Test
    void watch_cancelledInTheSameRead_leavesTheConnectionOpen() {
        try (Http2Client wire = new Http2Client(site.port())) {
            call(wire.post(1, WATCH, GRPC, ANY).cancel(1), 3).send();
            assertThat(wire.readsResponse(3)).isTrue();

            wire.window(0).post(5, WATCH, GRPC, ANY).send().awaitHead(5);
            call(wire.cancel(5).window(65_535), 7).send();
            assertThat(wire.readsResponse(7)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65_535})
    void check_cancelledInTheSameRead_leavesTheConnectionOpen(int window) {
        try (Http2Client wire = new Http2Client(site.port())) {
            wire.window(window).post(1, "/v1/check", "application/json", CHECK).cancel(1);
            wire.window(65_535).post(3, "/v1/check", "application/json", CHECK).send();

            assertThat(wire.readsResponse(3)).isTrue();
        }
    }

    /** An error of the connection still closes it. */
    @Test
    void connection_thatBreaksTheProtocol_isClosed() {
        try (Http2Client wire = new Http2Client(site.port())) {
            call(wire, 3).send();
            assertThat(wire.readsResponse(3)).isTrue();

            // No window is larger than 2^31 - 1.
            call(wire.window(Integer.MIN_VALUE), 5).send();

            assertThat(wire.readsResponse(5)).isFalse();
        }
    }
}
