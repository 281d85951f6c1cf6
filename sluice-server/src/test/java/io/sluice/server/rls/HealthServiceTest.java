package io.sluice.server.rls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import java.util.Iterator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HealthServiceTest {
    private final RlsTestServer served = RlsTestServer.by("- { name: all, limit: 1/s }");

    @AfterEach
    void close() {
        served.close();
    }

    private static HealthCheckRequest of(String service) {
        return HealthCheckRequest.newBuilder().setService(service).build();
    }

    private ServingStatus check(String service) {
        return HealthGrpc.newBlockingStub(served.channel).check(of(service)).getStatus();
    }

    @Test
    void check_knownService_hasItsReadiness() {
        assertThat(check("")).isEqualTo(ServingStatus.SERVING);
        assertThat(check("envoy.service.ratelimit.v3.RateLimitService")).isEqualTo(ServingStatus.SERVING);
        served.ready.set(false);
        assertThat(check("")).isEqualTo(ServingStatus.NOT_SERVING);
    }

    @Test
    void check_unknownService_isNotFound() {
        assertThat(catchThrowableOfType(StatusRuntimeException.class, () -> check("other"))
                        .getStatus()
                        .getCode())
                .isEqualTo(Status.Code.NOT_FOUND);
    }

    @Test
    void watch_sendsEveryChange() {
        Iterator<HealthCheckResponse> told =
                HealthGrpc.newBlockingStub(served.channel).watch(of(""));
        assertThat(told.next().getStatus()).isEqualTo(ServingStatus.SERVING);
        served.ready.set(false);
        assertThat(told.next().getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
        served.ready.set(true);
        assertThat(told.next().getStatus()).isEqualTo(ServingStatus.SERVING);
    }

    @Test
    void watch_unknownService_isServiceUnknown() {
        assertThat(HealthGrpc.newBlockingStub(served.channel)
                        .watch(of("other"))
                        .next()
                        .getStatus())
                .isEqualTo(ServingStatus.SERVICE_UNKNOWN);
    }
}
