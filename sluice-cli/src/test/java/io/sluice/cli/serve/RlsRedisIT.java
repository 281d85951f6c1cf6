package io.sluice.cli.serve;

import static io.sluice.cli.serve.EnvoyClient.descriptor;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.sluice.testkit.redis.RedisProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers on one Redis. */
class RlsRedisIT {
    private static final String POLICIES = """
            version: 1
            policies:
              - { name: per-user, key: [user], limit: 10 per 1d }
              - { name: own, match: { own: "yes" }, limit: 1 per 1d, scope: process }
              - { name: strict, key: [strict], limit: 10 per 1d, on-store-failure: deny }
            """;

    @Test
    void servers_onOneRedis_shareWhatIsChargedTogether(@TempDir Path directory) throws IOException {
        try (RedisProcess redis = RedisProcess.start();
                ServerProcess one = server(redis, directory);
                ServerProcess other = server(redis, directory);
                EnvoyClient atOne = new EnvoyClient(one);
                EnvoyClient atOther = new EnvoyClient(other)) {
            assertThat(decided(atOne, descriptor("strict", "ann", 6), descriptor("strict", "bob", 9))
                            .getOverallCode())
                    .isEqualTo(Code.OK);
            RateLimitResponse over = decided(atOther, descriptor("strict", "ann", 4), descriptor("strict", "bob", 2));
            assertThat(over.getStatusesList())
                    .extracting(DescriptorStatus::getCode)
                    .containsExactly(Code.OK, Code.OVER_LIMIT);
            assertThat(over.getStatusesList())
                    .extracting(DescriptorStatus::getLimitRemaining)
                    .as("nothing was taken")
                    .containsExactly(4, 1);
            assertThat(decided(atOther, descriptor("strict", "ann", 4), descriptor("own", "yes", 1))
                            .getOverallCode())
                    .isEqualTo(Code.OK);
            RateLimitResponse own = decided(atOther, descriptor("strict", "bob", 1), descriptor("own", "yes", 1));
            assertThat(own.getStatusesList())
                    .extracting(DescriptorStatus::getCode)
                    .as("what a process counts for itself denies the whole call")
                    .containsExactly(Code.OK, Code.OVER_LIMIT);
            assertThat(decided(atOne, descriptor("strict", "bob", 1), descriptor("own", "yes", 1))
                            .getOverallCode())
                    .isEqualTo(Code.OK);
        }
    }

    @Test
    void call_asLargeAsMayBe_isOneDecisionOnRedis(@TempDir Path directory) throws IOException {
        try (RedisProcess redis = RedisProcess.start();
                ServerProcess server = server(redis, directory);
                EnvoyClient envoy = new EnvoyClient(server)) {
            RateLimitDescriptor[] users = IntStream.range(0, 100)
                    .mapToObj(i -> descriptor("strict", "user-" + i, 6))
                    .toArray(RateLimitDescriptor[]::new);
            assertThat(decided(envoy, users).getStatusesList())
                    .extracting(DescriptorStatus::getLimitRemaining)
                    .containsOnly(4);
            RateLimitResponse over = decided(envoy, users);
            assertThat(over.getStatusesList())
                    .extracting(DescriptorStatus::getCode)
                    .containsOnly(Code.OVER_LIMIT);
            assertThat(over.getStatusesList())
                    .extracting(DescriptorStatus::getLimitRemaining)
                    .containsOnly(4);
        }
    }

    @Test
    void redis_away_isAnsweredByThePolicies(@TempDir Path directory) throws IOException {
        try (RedisProcess redis = RedisProcess.start();
                ServerProcess server = server(redis, directory);
                EnvoyClient envoy = new EnvoyClient(server)) {
            assertThat(decided(envoy, descriptor("strict", "a", 1)).getOverallCode())
                    .isEqualTo(Code.OK);
            redis.kill();
            for (int i = 0; i < 20; i++) {
                assertThat(envoy.ask(descriptor("user", "ann", 1)).getOverallCode())
                        .isEqualTo(Code.OK);
                RateLimitResponse strict = envoy.ask(descriptor("user", "ann", 1), descriptor("strict", "b", 1));
                assertThat(strict.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
                assertThat(strict.getStatusesList())
                        .extracting(DescriptorStatus::getCode)
                        .containsExactly(Code.OK, Code.OVER_LIMIT);
            }
        }
    }

    /**
     * Repeats a call until Redis decides. A server that is too busy to reach Redis in time denies, reports 0 remaining, and
     * charges nothing.
     */
    private static RateLimitResponse decided(EnvoyClient client, RateLimitDescriptor... descriptors) {
        Instant end = Instant.now().plusSeconds(60);
        RateLimitResponse response = client.ask(descriptors);
        while (response.getStatuses(0).getCode() != Code.OK
                && response.getStatuses(0).getLimitRemaining() == 0) {
            assertThat(Instant.now()).as("Redis decides before").isBefore(end);
            response = client.ask(descriptors);
        }
        return response;
    }

    private static ServerProcess server(RedisProcess redis, Path directory) throws IOException {
        Path policies = directory.resolve("policies.yaml");
        Files.writeString(policies, POLICIES);
        ServerProcess server = ServerProcess.start("--config", policies.toString(), "--redis", redis.uri());
        awaitRedis(server);
        return server;
    }

    /** Warms a server up. The first calls of a new process may exceed the deadline of the store. */
    private static void awaitRedis(ServerProcess server) {
        try (EnvoyClient envoy = new EnvoyClient(server)) {
            Instant end = Instant.now().plusSeconds(60);
            while (envoy.ask(descriptor("strict", "a", 0)).getOverallCode() != Code.OK) {
                assertThat(Instant.now()).as("Redis answers before").isBefore(end);
            }
        }
    }
}
