package io.sluice.cli.serve;

import static io.sluice.cli.serve.EnvoyClient.descriptor;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged server with configuration files of envoyproxy/ratelimit. */
class RlsEnvoyConfigIT {
    @Test
    void envoyConfig_decidesByItsOwnRules(@TempDir Path directory) throws IOException {
        Files.writeString(directory.resolve("edge.yaml"), """
                domain: edge
                descriptors:
                  - key: user
                    value: vip
                    rate_limit: { unlimited: true }
                  - key: user
                    rate_limit: { unit: year, requests_per_unit: 2 }
                """);
        try (ServerProcess server = ServerProcess.start("--envoy-config", directory.toString());
                EnvoyClient envoy = new EnvoyClient(server)) {
            DescriptorStatus first = envoy.ask(descriptor("user", "ann", 2)).getStatuses(0);
            assertThat(first.getLimitRemaining()).isZero();
            assertThat(first.getCurrentLimit().getRequestsPerUnit()).isEqualTo(2);

            assertThat(envoy.ask(descriptor("user", "ann", 1)).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
            assertThat(envoy.ask(descriptor("user", "bob", 1)).getOverallCode()).isEqualTo(Code.OK);
            assertThat(envoy.ask(descriptor("user", "vip", 9)).getOverallCode()).isEqualTo(Code.OK);
            assertThat(envoy.ask(descriptor("other", "ann", 9)).getOverallCode())
                    .isEqualTo(Code.OK);
        }
    }
}
