package io.sluice.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.server.vertx.ByteBudget;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When a connection is late, in ticks. */
class TrackedConnectionTest {
    private static final long PATIENCE = 10;
    private static final long IDLE = 30;

    private final Map<String, Object> response = new HashMap<>(Map.of("closed", false, "ended", false));
    private final Map<String, Object> request =
            new HashMap<>(Map.of("isEnded", false, "version", HttpVersion.HTTP_1_1));
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final TrackedConnection connection = new TrackedConnection(
            answering(HttpConnection.class, Map.of()), channel, new ByteBudget(1_000_000), Runnable::run, 5);

    private static <T> T answering(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> answers.get(method.getName())));
    }

    private void begin(long now) {
        request.put("response", answering(HttpServerResponse.class, response));
        connection.onRequest(answering(HttpServerRequest.class, request), now, unused -> {});
    }

    /** The first tick at which the connection is late. */
    private long lateAt(long from) {
        long now = from;
        while (!connection.isLate(now, PATIENCE, IDLE)) {
            now++;
        }
        return now;
    }

    @Test
    void connection_withoutARequest_isLateAfterTheIdleTimeout() {
        assertThat(lateAt(5)).isEqualTo(5 + IDLE + 1);
    }

    @Test
    void incompleteRequest_isLateAfterTheRequestTimeout() {
        begin(7);

        assertThat(lateAt(7)).isEqualTo(7 + PATIENCE + 1);
    }

    @Test
    void completeRequest_withoutAResponse_isNotLate() {
        begin(7);
        request.put("isEnded", true);

        assertThat(connection.isLate(7 + 100 * IDLE, PATIENCE, IDLE)).isFalse();
    }

    @Test
    void connection_afterARequest_isLateAfterTheIdleTimeout() {
        begin(7);
        request.put("isEnded", true);
        assertThat(connection.isLate(20, PATIENCE, IDLE)).isFalse();
        response.put("ended", true);

        assertThat(lateAt(20)).isEqualTo(20 + IDLE + 1);
    }

    @Test
    void connection_withAnIncompleteHeader_isLateAfterTheRequestTimeout() {
        begin(7);
        request.put("isEnded", true);
        response.put("ended", true);
        assertThat(connection.isLate(20, PATIENCE, IDLE)).isFalse();

        channel.writeInbound(Unpooled.copiedBuffer("P", StandardCharsets.US_ASCII));

        assertThat(lateAt(21)).isEqualTo(21 + PATIENCE + 1);
    }

    @Test
    void bytesOfAnOpenRequest_startNoOtherRequest() {
        begin(7);
        channel.writeInbound(Unpooled.copiedBuffer("body", StandardCharsets.US_ASCII));
        request.put("isEnded", true);
        response.put("ended", true);

        assertThat(lateAt(20)).isEqualTo(20 + IDLE - 13 + 1);
    }

    @Test
    void http2Connection_withoutARequest_isNeverLate() {
        request.put("version", HttpVersion.HTTP_2);
        begin(7);
        request.put("isEnded", true);
        response.put("ended", true);

        assertThat(connection.isLate(7 + 100 * IDLE, PATIENCE, IDLE)).isFalse();
    }
}
