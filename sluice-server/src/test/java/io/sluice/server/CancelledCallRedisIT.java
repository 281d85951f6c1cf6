package io.sluice.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.rls.proto.RateLimitDescriptor;
import io.sluice.server.rls.proto.RateLimitRequest;
import io.sluice.server.wire.Http2Client;
import io.sluice.testkit.redis.RedisProcess;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that are cancelled while Redis decides them: the response always comes after the cancellation. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class CancelledCallRedisIT {
    private static RedisProcess redis;
    private static TestServer site;

    @BeforeAll
    static void open() {
        redis = RedisProcess.start();
        site = TestServer.open(TestServer.THREE_EACH, config -> config.redis(redis.uri()));
    }

    @AfterAll
    static void close() {
        site.close();
        redis.close();
    }

    @Test
    void call_cancelledWhileItIsDecided_leavesTheConnectionOpen() {
        byte[] message = RateLimitRequest.newBuilder()
                .setDomain("edge")
                .addDescriptors(RateLimitDescriptor.newBuilder()
                        .addEntries(RateLimitDescriptor.Entry.newBuilder()
                                .setKey("tenant")
                                .setValue("acme")))
                .build()
                .toByteArray();
        byte[] call = ByteBuffer.allocate(5 + message.length)
                .put((byte) 0)
                .putInt(message.length)
                .put(message)
                .array();
        assertOthersAreAnswered(
                "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit", "application/grpc", call);
    }

    @Test
    void check_cancelledWhileItIsDecided_leavesTheConnectionOpen() {
        byte[] check = "{\"attributes\":{\"tenant\":\"acme\"}}".getBytes(UTF_8);
        assertOthersAreAnswered("/v1/check", "application/json", check);
    }

    private static void assertOthersAreAnswered(String path, String contentType, byte[] body) {
        try (Http2Client wire = new Http2Client(site.port());
                CapturedServerLog log = new CapturedServerLog()) {
            for (int stream = 1; stream < 200; stream += 4) {
                wire.post(stream, path, contentType, body)
                        .cancel(stream)
                        .post(stream + 2, path, contentType, body)
                        .send();

                assertThat(wire.readsResponse(stream + 2)).isTrue();
            }
            // On a busy machine Redis may miss a deadline. That has nothing to do with cancelled calls.
            assertThat(log.lines()).allSatisfy(line -> assertThat(line).startsWith("the store is "));
        }
    }
}
