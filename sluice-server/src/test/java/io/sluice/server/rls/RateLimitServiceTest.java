package io.sluice.server.rls;

import static io.sluice.server.rls.Calls.call;
import static io.sluice.server.rls.Calls.codes;
import static io.sluice.server.rls.Calls.descriptor;
import static io.sluice.server.rls.Calls.headers;
import static io.sluice.server.rls.Calls.hits;
import static io.sluice.server.rls.Calls.limit;
import static io.sluice.server.rls.Calls.remaining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit.Unit;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.sluice.memory.MemoryStore;
import io.sluice.policy.envoy.EnvoyConfig;
import io.sluice.server.decide.MaxCallPeriod;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RateLimitServiceTest {
    private static final String POLICIES = """
            - { name: global, match: { domain: edge }, limit: 100 per 1m }
            - { name: per-user, key: [user], limit: 4 per 1m lockout 1h }
            - { name: vip, match: { user: vip }, limit: blocked, mode: shadow }
            """;

    private RlsTestServer served = RlsTestServer.by(POLICIES);

    @AfterEach
    void close() {
        served.close();
    }

    private void serve(RlsTestServer other) {
        served.close();
        served = other;
    }

    private RateLimitResponse ask(RateLimitRequest.Builder call) {
        return RateLimitServiceGrpc.newBlockingStub(served.channel).shouldRateLimit(call.build());
    }

    @Test
    void call_oneDescriptor_isDecidedByThePolicies() {
        for (int i = 3; i >= 0; i--) {
            RateLimitResponse response = ask(call(descriptor("user", "ann")));
            assertThat(response.getOverallCode()).isEqualTo(Code.OK);
            assertThat(remaining(response)).containsExactly(i);
        }
        RateLimitResponse over = ask(call(descriptor("user", "ann")));
        assertThat(over.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        DescriptorStatus status = over.getStatuses(0);
        assertThat(status.getCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(status.getCurrentLimit().getName()).isEqualTo("per-user");
        assertThat(status.getCurrentLimit().getRequestsPerUnit()).isEqualTo(4);
        assertThat(status.getCurrentLimit().getUnit()).isEqualTo(Unit.MINUTE);
        assertThat(status.getDurationUntilReset().getSeconds()).isEqualTo(3600);
        assertThat(ask(call(descriptor("user", "bob"))).getOverallCode()).isEqualTo(Code.OK);
    }

    @Test
    void call_severalDescriptors_areChargedTogetherOrNotAtAll() {
        RateLimitResponse over = ask(call(
                hits(descriptor("user", "ann"), 3), hits(descriptor("user", "bob"), 5), descriptor("user", "cid")));
        assertThat(over.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(codes(over)).containsExactly(Code.OK, Code.OVER_LIMIT, Code.OK);
        assertThat(remaining(over)).as("nothing was taken").containsExactly(4, 0, 4);
        RateLimitResponse fine = ask(call(hits(descriptor("user", "ann"), 4), descriptor("user", "cid")));
        assertThat(codes(fine)).containsExactly(Code.OK, Code.OK);
        assertThat(remaining(fine)).containsExactly(0, 3);
        assertThat(headers(fine).get("RateLimit")).as("both counted").startsWith("\"global\";r=95;");
    }

    @Test
    void call_sameBucketTwice_mustFitTogether() {
        assertThat(codes(ask(call(hits(descriptor("user", "ann"), 2), hits(descriptor("user", "ann"), 3)))))
                .containsExactly(Code.OVER_LIMIT, Code.OVER_LIMIT);
        assertThat(remaining(ask(call(hits(descriptor("user", "bob"), 2), hits(descriptor("user", "bob"), 2)))))
                .containsExactly(0, 0);
    }

    @Test
    void hitsAddend_ofZero_isOneForTheCall_andNothingForADescriptor() {
        assertThat(remaining(ask(call(descriptor("user", "ann")).setHitsAddend(0))))
                .containsExactly(3);
        assertThat(remaining(ask(call(descriptor("user", "ann")).setHitsAddend(2))))
                .containsExactly(1);
        assertThat(remaining(ask(call(hits(descriptor("user", "ann"), 0)).setHitsAddend(2))))
                .containsExactly(1);
        assertThat(remaining(ask(call(hits(descriptor("user", "ann"), 1)).setHitsAddend(2))))
                .containsExactly(0);
    }

    @Test
    void concurrencyPolicy_doesNotApply_notEvenToALook() {
        serve(RlsTestServer.by("- { name: in-flight, limit: concurrency 1 }\n- { name: rate, limit: 5/h }"));
        for (int left = 4; left >= 3; left--) {
            assertThat(remaining(ask(call(descriptor("a", "b"))))).containsExactly(left);
        }
        RateLimitResponse look = ask(call(hits(descriptor("a", "b"), 0)));
        assertThat(remaining(look)).containsExactly(3);
        assertThat(headers(look).get("RateLimit")).doesNotContain("in-flight");
    }

    @Test
    void hitsAddend_ofTheMaximum_isDenied() {
        serve(RlsTestServer.by("- { name: all, limit: 4000000000 per 1m }"));
        assertThat(ask(call(descriptor("a", "b")).setHitsAddend(-1)).getOverallCode())
                .as("4,294,967,295")
                .isEqualTo(Code.OVER_LIMIT);
        assertThat(ask(call(hits(descriptor("a", "b"), -1))).getOverallCode())
                .as("2^64 - 1")
                .isEqualTo(Code.OVER_LIMIT);
        assertThat(remaining(ask(call(descriptor("a", "b")).setHitsAddend(-294_967_297))))
                .as("4,000,000,000 minus 1, of an uint32")
                .containsExactly(1);
    }

    @Test
    void descriptor_withoutAPolicyThatApplies_isOk() {
        RateLimitResponse response = ask(call(descriptor("path", "/")).setDomain("other"));
        assertThat(response.getOverallCode()).isEqualTo(Code.OK);
        assertThat(response.getStatuses(0))
                .isEqualTo(DescriptorStatus.newBuilder().setCode(Code.OK).build());
        assertThat(response.getResponseHeadersToAddList()).isEmpty();
    }

    @Test
    void descriptor_onlyInShadow_isOk_andHasTheLimit() {
        serve(RlsTestServer.by(
                "- { name: later, limit: 1/d, mode: shadow }\n- { name: never, match: { a: x }, limit: unlimited }"));
        ask(call(descriptor("a", "b")));
        RateLimitResponse over = ask(call(descriptor("a", "b")));
        assertThat(codes(over)).containsExactly(Code.OK);
        assertThat(over.getStatuses(0).getCurrentLimit().getName()).isEqualTo("later");
        assertThat(headers(over)).isEmpty();
    }

    @Test
    void descriptor_unlimited_hasTheLargestRemaining() {
        serve(RlsTestServer.by("- { name: free, limit: unlimited }"));
        assertThat(ask(call(descriptor("a", "b"))).getStatuses(0))
                .isEqualTo(DescriptorStatus.newBuilder()
                        .setCode(Code.OK)
                        .setLimitRemaining(-1)
                        .build());
    }

    @Test
    void descriptor_sameKeyTwice_theLastCounts() {
        ask(call(hits(descriptor("user", "ann", "user", "bob"), 4)));
        assertThat(remaining(ask(call(hits(descriptor("user", "ann"), 0), hits(descriptor("user", "bob"), 0)))))
                .containsExactly(4, 0);
    }

    @Test
    void descriptor_entryCalledDomain_isNotTheDomain() {
        RateLimitResponse response = ask(call(descriptor("domain", "edge")).setDomain("other"));
        assertThat(response.getStatuses(0).hasCurrentLimit()).isFalse();
    }

    @Test
    void limitOfADescriptor_decidesInsteadOfThePolicies() {
        RateLimitResponse first = ask(
                call(limit(descriptor("user", "ann"), 2, RateLimitUnit.HOUR)).setHitsAddend(2));
        DescriptorStatus status = first.getStatuses(0);
        assertThat(status.getCode()).isEqualTo(Code.OK);
        assertThat(status.getLimitRemaining()).isZero();
        assertThat(status.getCurrentLimit().getRequestsPerUnit()).isEqualTo(2);
        assertThat(status.getCurrentLimit().getUnit()).isEqualTo(Unit.HOUR);
        assertThat(status.getCurrentLimit().getName()).isEmpty();
        assertThat(ask(call(limit(descriptor("user", "ann"), 2, RateLimitUnit.HOUR)))
                        .getOverallCode())
                .isEqualTo(Code.OVER_LIMIT);
        assertThat(ask(call(limit(descriptor("user", "bob"), 2, RateLimitUnit.HOUR)))
                        .getOverallCode())
                .isEqualTo(Code.OK);
        assertThat(remaining(ask(call(hits(descriptor("user", "ann"), 0)))))
                .as("the policies know nothing of it")
                .containsExactly(4);
        served.time.advance(Duration.ofHours(1));
        assertThat(ask(call(limit(descriptor("user", "ann"), 2, RateLimitUnit.HOUR)))
                        .getOverallCode())
                .isEqualTo(Code.OK);
    }

    @Test
    void limitOfADescriptor_isDecidedTogetherWithTheOthers() {
        RateLimitResponse over =
                ask(call(limit(descriptor("a", "b"), 0, RateLimitUnit.SECOND), hits(descriptor("user", "ann"), 4)));
        assertThat(codes(over)).containsExactly(Code.OVER_LIMIT, Code.OK);
        assertThat(remaining(over)).as("nothing was taken").containsExactly(0, 4);
        RateLimitResponse other =
                ask(call(limit(descriptor("a", "b"), 5, RateLimitUnit.MONTH), hits(descriptor("user", "ann"), 5)));
        assertThat(codes(other)).containsExactly(Code.OK, Code.OVER_LIMIT);
        assertThat(remaining(other)).as("nothing was taken").containsExactly(5, 0);
    }

    @Test
    void limitOfADescriptor_withAnotherNumber_keepsTheUse() {
        ask(call(limit(descriptor("user", "ann"), 10, RateLimitUnit.HOUR)).setHitsAddend(7));
        assertThat(remaining(ask(call(limit(descriptor("user", "ann"), 11, RateLimitUnit.HOUR)))))
                .containsExactly(3);
        assertThat(remaining(ask(call(limit(descriptor("user", "ann"), 10, RateLimitUnit.HOUR)))))
                .containsExactly(1);
        assertThat(remaining(ask(call(limit(descriptor("user", "bob"), 11, RateLimitUnit.HOUR)))))
                .containsExactly(10);
    }

    @Test
    void limitOfADescriptor_perMinuteAndPerHour_countsUnderBoth() {
        for (int minute = 1; minute <= 3; minute++) {
            assertThat(remaining(ask(call(
                                    limit(descriptor("user", "ann"), 10, RateLimitUnit.MINUTE),
                                    limit(descriptor("user", "ann"), 100, RateLimitUnit.DAY))
                            .setHitsAddend(4))))
                    .containsExactly(6, 100 - 4 * minute);
            served.time.advance(Duration.ofMinutes(1));
        }
    }

    @Test
    void limitsOfDescriptors_leaveNoState() {
        for (int i = 1; i <= 1000; i++) {
            ask(call(limit(descriptor("user", "ann"), i, RateLimitUnit.MINUTE)));
        }
        assertThat(((MemoryStore) served.store).size()).isOne();
        served.time.advance(Duration.ofMinutes(10));
        assertThat(((MemoryStore) served.store).size()).isZero();
    }

    @Test
    void limitOfADescriptor_longerThanTheSetting_isRefused() {
        assertRefused(
                call(
                        limit(descriptor("a", "b"), 5, RateLimitUnit.MONTH),
                        limit(descriptor("a", "c"), 0, RateLimitUnit.YEAR)),
                "descriptors[1].limit.unit: YEAR, which is 31536000 seconds"
                        + " (expected: at most 2678400 seconds, as the setting max-call-period says)");
        serve(RlsTestServer.by(
                "- { name: all, limit: unlimited }",
                UnaryOperator.identity(),
                new MaxCallPeriod(Duration.ofDays(365))));
        assertThat(remaining(ask(call(limit(descriptor("a", "b"), 5, RateLimitUnit.YEAR)))))
                .containsExactly(4);
    }

    @Test
    void limitOfADescriptor_twoForTheSameEntriesAndUnit_areRefused() {
        assertRefused(
                call(
                        limit(descriptor("a", "b"), 5, RateLimitUnit.HOUR),
                        limit(descriptor("a", "b"), 6, RateLimitUnit.HOUR)),
                "descriptors[1].limit: fixed-window 6/h, where another with the same entries brings fixed-window 5/h"
                        + " (expected: one limit for the same entries and unit)");
        assertThat(codes(ask(call(
                        limit(descriptor("a", "b"), 5, RateLimitUnit.HOUR),
                        limit(descriptor("a", "b"), 5, RateLimitUnit.HOUR)))))
                .containsExactly(Code.OK, Code.OK);
    }

    private void assertRefused(RateLimitRequest.Builder call, String why) {
        assertThatThrownBy(() -> ask(call)).isInstanceOfSatisfying(StatusRuntimeException.class, refused -> {
            assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
            assertThat(refused.getStatus().getDescription()).isEqualTo(why);
        });
    }

    @Test
    void headers_haveThePoliciesAndRetryAfter() {
        RateLimitResponse fine = ask(call(descriptor("user", "ann")));
        assertThat(headers(fine))
                .isEqualTo(Map.of(
                        "RateLimit-Policy", "\"global\";q=100;w=60, \"per-user\";q=4;w=60",
                        "RateLimit", "\"global\";r=99;t=1, \"per-user\";r=3;t=15"));
        RateLimitResponse over = ask(call(descriptor("user", "ann")).setHitsAddend(4));
        assertThat(headers(over)).containsEntry("Retry-After", "3600").containsKeys("RateLimit", "RateLimit-Policy");
    }

    @Test
    void legacyHeaders_whenEnabled_areSent() {
        serve(RlsTestServer.by(POLICIES, rls -> rls.legacyHeaders(true)));
        assertThat(headers(ask(call(descriptor("user", "ann")))))
                .containsEntry("X-RateLimit-Limit", "4")
                .containsEntry("X-RateLimit-Remaining", "3")
                .containsEntry("X-RateLimit-Reset", "15");
    }

    @Test
    void envoyConfig_itsOwnMatchingDecides() {
        serve(RlsTestServer.by(EnvoyConfig.parse(Map.of("edge.yaml", """
                domain: edge
                descriptors:
                  - key: user
                    rate_limit: { name: users, unit: hour, requests_per_unit: 2 }
                  - key: user
                    value: vip
                    rate_limit: { unlimited: true }
                  - key: tenant
                    rate_limit: { unit: day, requests_per_unit: 1, replaces: [ { name: users } ] }
                """))));
        RateLimitResponse response =
                ask(call(descriptor("user", "ann"), descriptor("user", "vip"), descriptor("path", "/")));
        assertThat(codes(response)).containsExactly(Code.OK, Code.OK, Code.OK);
        assertThat(remaining(response)).containsExactly(1, -1, 0);
        assertThat(response.getStatuses(0).getCurrentLimit().getName()).isEqualTo("users");
        assertThat(response.getStatuses(0).getCurrentLimit().getUnit()).isEqualTo(Unit.HOUR);
        RateLimitResponse replaced = ask(call(descriptor("user", "ann"), descriptor("tenant", "acme")));
        assertThat(replaced.getStatuses(0).hasCurrentLimit()).as("replaced").isFalse();
        assertThat(replaced.getStatuses(1).getCurrentLimit().getRequestsPerUnit())
                .isEqualTo(1);
        assertThat(ask(call(descriptor("user", "ann")).setHitsAddend(2)).getOverallCode())
                .isEqualTo(Code.OVER_LIMIT);
    }

    @Test
    void envoyConfig_limitOfADescriptor_appliesOnlyInAKnownDomain() {
        serve(RlsTestServer.by(EnvoyConfig.parse(Map.of("edge.yaml", "domain: edge\ndescriptors: []\n"))));
        assertThat(ask(call(limit(descriptor("a", "b"), 0, RateLimitUnit.DAY))).getOverallCode())
                .isEqualTo(Code.OVER_LIMIT);
        assertThat(ask(call(limit(descriptor("a", "b"), 0, RateLimitUnit.DAY)).setDomain("other"))
                        .getOverallCode())
                .isEqualTo(Code.OK);
    }
}
