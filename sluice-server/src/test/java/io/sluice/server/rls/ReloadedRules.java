package io.sluice.server.rls;

import static io.sluice.server.rls.Calls.call;
import static io.sluice.server.rls.Calls.descriptor;
import static io.sluice.server.rls.Calls.remaining;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.sluice.policy.envoy.EnvoyConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/*
 * One rule is in both versions, with different limits. Every other rule is in one version only. A call that is matched by one
 * version and decided by the other would find no policy for a descriptor.
 */
/** Makes calls while the envoyproxy/ratelimit files are replaced again and again. */
final class ReloadedRules {
    private static final int LIMIT = 1_000_000;
    private static final int CALLS = 40;
    private static final int RELOADS = 150;

    private ReloadedRules() {}

    static EnvoyConfig version(int version) {
        return EnvoyConfig.parse(
                Map.of("edge.yaml", """
                domain: edge
                descriptors:
                  - key: all
                    rate_limit: { unit: day, requests_per_unit: %d }
                  - key: user
                    %s
                    rate_limit: { unit: day, requests_per_unit: %d }
                """.formatted(LIMIT + version % 2, version % 2 == 0 ? "value: ann" : "", LIMIT)));
    }

    /** Each call is decided by one version, and the charged permits are the admitted ones. */
    static void requireChargedOnce(RlsTestServer served) throws Exception {
        RateLimitRequest call =
                call(descriptor("all", ""), descriptor("user", "ann")).build();
        RateLimitServiceGrpc.RateLimitServiceFutureStub stub = RateLimitServiceGrpc.newFutureStub(served.channel);
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Void> reloading = CompletableFuture.runAsync(() -> {
            for (int i = 1; i <= RELOADS; i++) {
                served.engine.replace(version(i));
            }
            done.set(true);
        });
        long admitted = 0;
        while (!done.get()) {
            List<ListenableFuture<RateLimitResponse>> calls = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                calls.add(stub.shouldRateLimit(call));
            }
            for (RateLimitResponse response : Futures.allAsList(calls).get()) {
                assertThat(response.getOverallCode()).isEqualTo(Code.OK);
                assertThat(response.getStatuses(1).hasCurrentLimit())
                        .as("matched and decided by one version: %s", response)
                        .isTrue();
                admitted++;
            }
        }
        reloading.get();
        RateLimitResponse last =
                RateLimitServiceGrpc.newBlockingStub(served.channel).shouldRateLimit(call);
        assertThat(LIMIT + RELOADS % 2 - remaining(last).get(0))
                .as("charged, of %s calls", admitted + 1)
                .isEqualTo(admitted + 1);
    }
}
