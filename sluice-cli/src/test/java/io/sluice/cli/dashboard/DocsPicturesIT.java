package io.sluice.cli.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.sluice.server.ServerConfig;
import io.sluice.server.SluiceServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Takes the pictures of the documentation, with some minutes of traffic: {@code -Dsluice.pictures=true}. */
@EnabledIfSystemProperty(named = "sluice.pictures", matches = "true")
class DocsPicturesIT {
    private static final Path IMAGES = Path.of("..", "docs", "images");
    private static final Duration TRAFFIC = Duration.ofSeconds(140);

    /** Requests a second. */
    private static final Map<String, Integer> TENANTS =
            Map.of("acme", 18, "globex", 9, "umbrella", 7, "initech", 5, "hooli", 2);

    private static final String POLICIES = """
            # Limits of the public API.
            version: 1
            policies:
              - name: global
                limit: 1000/s burst 2000
              - name: per-tenant
                match: { path: "/api/**" }
                key: [tenant]
                limit: token-bucket 15/s burst 30
                overrides:
                  - { match: { tenant: acme }, limit: 60/s burst 120 }
              - name: writes
                match: { method: [POST, PUT] }
                key: [tenant]
                limit: sliding-log 60 per 10s
              - name: stricter
                match: { path: "/api/**" }
                key: [tenant]
                mode: shadow
                limit: token-bucket 8/s burst 10
            """;

    @TempDir
    Path directory;

    private final Random random = new Random(16);

    @Test
    void pictures() throws IOException {
        Path file = Files.writeString(directory.resolve("policies.yaml"), POLICIES);
        try (Chromium chromium = Chromium.start();
                SluiceServer server = SluiceServer.start(ServerConfig.builder()
                        .port(0)
                        .respPort(-1)
                        .policies(file)
                        .dataDir(directory.resolve("data"))
                        .adminToken(Dashboard.TOKEN)
                        .build());
                Dashboard dashboard = new Dashboard(chromium.browser(), server.port(), 1120, 780, ColorScheme.LIGHT)) {
            send(new Traffic(server.port()));
            dashboard.signIn();
            take(dashboard);
        }
    }

    /** Steady traffic, with an attack of one tenant near the end. */
    private void send(Traffic traffic) {
        long begin = System.nanoTime();
        for (double now = 0; now < TRAFFIC.toSeconds(); now = (System.nanoTime() - begin) / 1e9) {
            boolean attack = now > 85 && now < 105;
            for (Map.Entry<String, Integer> tenant : TENANTS.entrySet()) {
                double rate = tenant.getValue() * (1 + 0.3 * Math.sin(now / 17 + tenant.getValue()));
                double due = (attack && tenant.getKey().equals("umbrella") ? rate + 90 : rate) / 10;
                for (; due > random.nextDouble(); due--) {
                    traffic.send(tenant.getKey(), random.nextInt(4) == 0 ? "POST" : "GET");
                }
            }
            LockSupport.parkNanos(100_000_000 - (System.nanoTime() - begin) % 100_000_000);
        }
    }

    private static void take(Dashboard dashboard) {
        Page page = dashboard.page;
        assertThat(page.locator("#live-status")).hasText("Live");
        page.locator("#policy-table").waitFor();
        picture(page, "dashboard-live");

        dashboard.view("keys");
        page.locator("#denied-keys button").first().click();
        page.locator("#key-state .bucket").first().waitFor();
        picture(page, "dashboard-keys");

        dashboard.view("policies");
        assertThat(page.locator("#policy-status")).hasText("Running");
        dashboard.type(POLICIES.replace("token-bucket 15/s burst 30", "token-bucket 10/s burst 20"));
        dashboard.button("What would it have done?").click();
        page.locator("#newly-denied").waitFor();
        page.keyboard().press("Control+Home");
        picture(page, "dashboard-policies");
        dashboard.button("Discard the changes").click();

        page.setViewportSize(1120, 1060);
        dashboard.view("playground");
        page.locator("#results canvas").first().waitFor();
        picture(page, "dashboard-playground");
    }

    private static void picture(Page page, String name) {
        page.mouse().move(0, 0);
        page.evaluate("() => scrollTo(0, 0)");
        page.screenshot(new Page.ScreenshotOptions().setPath(IMAGES.resolve(name + ".png")));
    }
}
