package io.sluice.cli.serve;

import static io.sluice.cli.serve.EnvoyClient.descriptor;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The packaged server, called with the stubs of Envoy over grpc-java. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RlsIT {
    private ServerProcess server;
    private EnvoyClient envoy;

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        Path policies = directory.resolve("policies.yaml");
        Files.writeString(policies, """
                version: 1
                policies:
                  - { name: per-user, match: { domain: edge }, key: [user], limit: 4 per 1d }
                  - { name: hot, match: { hot: "yes" }, limit: 100 per 1d }
                """);
        server = ServerProcess.start("--config", policies.toString());
        envoy = new EnvoyClient(server);
    }

    @AfterAll
    void stop() {
        envoy.close();
        server.close();
    }

    @Test
    void shouldRateLimit_untilOver_saysHowItStands() {
        DescriptorStatus first = envoy.ask(descriptor("user", "ann", 3)).getStatuses(0);
        assertThat(first.getCode()).isEqualTo(Code.OK);
        assertThat(first.getLimitRemaining()).isEqualTo(1);
        RateLimitResponse over = envoy.ask(descriptor("user", "ann", 2));
        assertThat(over.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        DescriptorStatus status = over.getStatuses(0);
        assertThat(status.getCurrentLimit())
                .isEqualTo(RateLimitResponse.RateLimit.newBuilder()
                        .setName("per-user")
                        .setRequestsPerUnit(4)
                        .setUnit(RateLimitResponse.RateLimit.Unit.DAY)
                        .build());
        assertThat(status.getDurationUntilReset().getSeconds()).isBetween(60_000L, 64_800L);
        assertThat(over.getResponseHeadersToAddList())
                .extracting(HeaderValue::getKey)
                .containsExactly("Retry-After", "RateLimit-Policy", "RateLimit");
        assertThat(over.getResponseHeadersToAdd(1).getValue()).isEqualTo("\"per-user\";q=4;w=86400");
    }

    @Test
    void shouldRateLimit_oneOfTwoOver_takesNothing() {
        RateLimitResponse over = envoy.ask(descriptor("user", "bob", 4), descriptor("user", "cid", 5));
        assertThat(over.getStatusesList())
                .extracting(DescriptorStatus::getCode)
                .containsExactly(Code.OK, Code.OVER_LIMIT);
        assertThat(envoy.ask(descriptor("user", "bob", 4), descriptor("user", "cid", 4))
                        .getOverallCode())
                .isEqualTo(Code.OK);
    }

    @Test
    void shouldRateLimit_withALimitOfItsOwn_decidesByThat() {
        RateLimitRequest.Builder call = EnvoyClient.request(descriptor("user", "dan", 6)).toBuilder();
        call.getDescriptorsBuilder(0).getLimitBuilder().setRequestsPerUnit(10).setUnit(RateLimitUnit.MONTH);
        RateLimitServiceGrpc.RateLimitServiceBlockingStub stub = RateLimitServiceGrpc.newBlockingStub(envoy.channel);
        assertThat(stub.shouldRateLimit(call.build()).getStatuses(0).getLimitRemaining())
                .isEqualTo(4);
        assertThat(stub.shouldRateLimit(call.build()).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    }

    @Test
    void shouldRateLimit_manyInFlight_admitsExactlyTheLimit() {
        RateLimitServiceGrpc.RateLimitServiceStub stub = RateLimitServiceGrpc.newStub(envoy.channel);
        RateLimitRequest call = EnvoyClient.request(descriptor("hot", "yes", 1));
        List<CompletableFuture<Code>> answers = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            CompletableFuture<Code> answer = new CompletableFuture<>();
            answers.add(answer);
            stub.shouldRateLimit(call, new StreamObserver<>() {
                @Override
                public void onNext(RateLimitResponse response) {
                    answer.complete(response.getOverallCode());
                }

                @Override
                public void onError(Throwable failure) {
                    answer.completeExceptionally(failure);
                }

                @Override
                public void onCompleted() {}
            });
        }
        assertThat(answers.stream()
                        .map(CompletableFuture::join)
                        .filter(Code.OK::equals)
                        .count())
                .isEqualTo(100);
    }

    @Test
    void shouldRateLimit_withoutDescriptors_isInvalid() {
        StatusRuntimeException refused = catchThrowableOfType(StatusRuntimeException.class, () -> envoy.ask());
        assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(refused.getStatus().getDescription()).isEqualTo("descriptors: 0 (expected: 1 to 100)");
    }

    @Test
    void health_ofTheServer_isServing() {
        assertThat(HealthGrpc.newBlockingStub(envoy.channel)
                        .check(HealthCheckRequest.getDefaultInstance())
                        .getStatus())
                .isEqualTo(ServingStatus.SERVING);
    }

    @Test
    void http_onTheSamePort_isAnswered() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(server.uri("/v1/check"))
                .POST(HttpRequest.BodyPublishers.ofString("{\"attributes\":{}}", UTF_8))
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(200);
    }
}
