package io.sluice.cli.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.assertions.LocatorAssertions;
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
    private static final LocatorAssertions.ContainsTextOptions PATIENTLY =
            new LocatorAssertions.ContainsTextOptions().setTimeout(40_000);

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
                Dashboard dashboard = Dashboard.desktop(chromium.browser(), first.port())) {
            dashboard.signIn();
            Locator row = dashboard.page.locator("#policy-table tr[data-row='per-tenant'] td");
            try (SluiceServer second = start(redis)) {
                assertThat(dashboard.page.locator("#tile-replicas")).hasText("2");
                new Traffic(first.port()).send("acme", 20);
                new Traffic(second.port()).send("acme", 10);
                assertThat(row.nth(1)).hasText("25");
                assertThat(row.nth(2)).hasText("5");
                assertThat(row.nth(3)).hasText("17%");
                dashboard.screenshot("live-replicas");
                dashboard.page.getByLabel("This replica").check();
                assertThat(row.nth(1)).hasText("20");
                assertThat(row.nth(2)).hasText("0");
            }

            // What the other has decided stays in the sum when it is gone.
            dashboard.page.getByLabel("All replicas").check();
            assertThat(dashboard.page.locator("#replica-table")).containsText("gone for", PATIENTLY);
            assertThat(dashboard.page.locator("#tile-replicas")).hasText("1");
            assertThat(row.nth(1)).hasText("25");
            assertThat(row.nth(2)).hasText("5");
            dashboard.screenshot("live-replica-gone");
            dashboard.assertClean();
        }
    }

    @Test
    void dashboard_whileRedisIsAway_showsThisReplica_andSaysSo() throws IOException {
        try (Chromium chromium = Chromium.start();
                RedisProcess redis = RedisProcess.start();
                SluiceServer server = start(redis);
                Dashboard dashboard = Dashboard.desktop(chromium.browser(), server.port())) {
            dashboard.signIn();
            assertThat(dashboard.page.locator("#live-status")).hasText("Live");
            redis.kill();

            assertThat(dashboard.page.locator("#live-status")).containsText("this replica only", PATIENTLY);
            assertThat(dashboard.page.locator("#tile-store")).hasText("Away");
            new Traffic(server.port()).send("acme", 10);
            Locator row = dashboard.page.locator("#policy-table tr[data-row='per-tenant'] td");
            assertThat(row.nth(5)).hasText("10");
            dashboard.screenshot("live-redis-away");

            dashboard.view("policies");
            assertThat(dashboard.page.locator("#policy-status")).hasText("Running");
            assertThat(dashboard.page.locator("#history")).containsText("The store does not answer");
            assertThat(dashboard.page.locator("#policy-message")).isEmpty();
            dashboard.forgive("503");
            dashboard.assertClean();
        }
    }
}
