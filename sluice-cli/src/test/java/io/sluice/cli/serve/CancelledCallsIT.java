package io.sluice.cli.serve;

import static io.sluice.cli.serve.EnvoyClient.descriptor;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that cancel every 20th of their calls: no other call fails, and the log stays short. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class CancelledCallsIT {
    private static final int CALLS = 10_000;
    private static final int CANCELLED_OF = 20;
    private static final int IN_FLIGHT = 100;
    private static final RateLimitRequest CALL = EnvoyClient.request(descriptor("a", "b", 0));

    private final ServerProcess server = ServerProcess.start();

    @AfterEach
    void stop() {
        server.close();
    }

    private void assertShortLog() throws InterruptedException {
        server.stop();
        Eventually.await("the log ends", () -> server.log().endsWith("stopped"));
        assertThat(server.log().lines()).noneMatch(line -> line.startsWith("    "));
        assertThat(server.log().lines().filter(line -> line.contains("io.sluice.server.peers")))
                .hasSizeLessThan(20);
    }

    @Test
    void grpcJava_thatCancelsSomeCalls_isAnsweredAllOthers() throws InterruptedException {
        int answered = 0;
        try (EnvoyClient envoy = new EnvoyClient(server)) {
            RateLimitServiceGrpc.RateLimitServiceFutureStub stub = RateLimitServiceGrpc.newFutureStub(envoy.channel);
            Deque<ListenableFuture<RateLimitResponse>> wanted = new ArrayDeque<>();
            for (int i = 1; i <= CALLS; i++) {
                ListenableFuture<RateLimitResponse> call = stub.shouldRateLimit(CALL);
                if (i % CANCELLED_OF == 0) {
                    call.cancel(true);
                } else {
                    wanted.add(call);
                }
                if (wanted.size() >= IN_FLIGHT || i == CALLS) {
                    for (ListenableFuture<RateLimitResponse> each : wanted) {
                        answered += isAnswered(each) ? 1 : 0;
                    }
                    wanted.clear();
                }
            }
        }
        assertThat(answered).isEqualTo(CALLS - CALLS / CANCELLED_OF);
        assertShortLog();
    }

    private static boolean isAnswered(ListenableFuture<RateLimitResponse> call) throws InterruptedException {
        try {
            call.get();
            return true;
        } catch (ExecutionException e) {
            return false;
        }
    }

    @Test
    void grpcJs_thatCancelsSomeCalls_isAnsweredAllOthers() throws IOException, InterruptedException {
        String message = Base64.getEncoder().encodeToString(CALL.toByteArray());
        assertThat(GrpcJs.run(
                        "cancel.js",
                        Integer.toString(server.port()),
                        Integer.toString(CALLS),
                        Integer.toString(CANCELLED_OF),
                        message))
                .isEqualTo("{\"answered\":" + (CALLS - CALLS / CANCELLED_OF) + ",\"cancelled\":" + CALLS / CANCELLED_OF
                        + ",\"failed\":0,\"first\":\"\"}");
        assertShortLog();
    }
}
