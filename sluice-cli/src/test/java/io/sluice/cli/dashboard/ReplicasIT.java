package io.sluice.cli.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import io.sluice.server.ServerConfig;
import io.sluice.server.SluiceServer;
import io.sluice.testkit.redis.RedisProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two replicas on one Redis. */
class ReplicasIT {
    @TempDir
    Path directory;

    private SluiceServer start(RedisProcess redis) throws IOException {
        Path file = Files.writeString(directory.resolve("policies.yaml"), """
                version: 1
                policies:
                  - { name: per-tenant, key: [tenant], limit: fixed-window 25 per 1h from-first }
                """);
        return SluiceServer.start(ServerConfig.builder()
                .port(0)
                .respPort(-1)
                .redis(redis.uri())
                .policies(file)
                .adminToken(Dashboard.TOKEN)
                .build());
    }

    @Test
    void dashboard_ofOneReplica_showsTheSumOfAll_andItsOwnPart() throws IOException {
        try (Chromium chromium = Chromium.start();
                RedisProcess redis = RedisProcess.start();
                SluiceServer first = start(redis);
                SluiceServer second = start(redis);
                Dashboard dashboard = Dashboard.desktop(chromium.browser(), first.port())) {
            dashboard.signIn();
            assertThat(dashboard.page.locator("#tile-replicas")).hasText("2");
            new Traffic(first.port()).send("acme", 20);
            new Traffic(second.port()).send("acme", 10);

            Locator row = dashboard.page.locator("#policy-table tr[data-row='per-tenant'] td");
            assertThat(row).hasText(new String[] {"25", "5", "17%", "0", "0"});
            dashboard.screenshot("live-replicas");
            dashboard.page.getByLabel("This replica").check();
            assertThat(row).hasText(new String[] {"20", "0", "0%", "0", "0"});
            dashboard.assertClean();
        }
    }
}
