package io.sluice.cli.dashboard;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.sluice.server.ServerConfig;
import io.sluice.server.SluiceServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A view of the dashboard: one server on the memory store for all tests, and a signed-in page for each. */
abstract class ViewTests {
    static final String POLICIES = """
            version: 1
            policies:
              - name: everything
                limit: fixed-window 100000 per 1h from-first
              - name: per-tenant
                key: [tenant]
                limit: fixed-window 20 per 1h from-first
              - name: counted
                match: { tenant: counted }
                key: [tenant]
                limit: fixed-window 15 per 1h from-first
              - name: trial
                match: { tenant: counted }
                key: [tenant]
                mode: shadow
                limit: fixed-window 5 per 1h from-first
            """;

    @TempDir
    static Path directory;

    static Chromium chromium;
    static SluiceServer server;
    static Traffic traffic;
    Dashboard dashboard;
    Page page;

    @BeforeAll
    static void start() throws IOException {
        chromium = Chromium.start();
        server = SluiceServer.start(config(POLICIES).build());
        traffic = new Traffic(server.port());
    }

    /** A server of its own, with the admin token. */
    static ServerConfig.Builder config(String policies) throws IOException {
        return configWithoutToken(policies).adminToken(Dashboard.TOKEN);
    }

    static ServerConfig.Builder configWithoutToken(String policies) throws IOException {
        Path file = Files.createTempFile(directory, "policies", ".yaml");
        return ServerConfig.builder().port(0).respPort(-1).policies(Files.writeString(file, policies));
    }

    @AfterAll
    static void end() {
        if (chromium != null) {
            chromium.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void open() {
        dashboard = Dashboard.desktop(chromium.browser(), server.port());
        page = dashboard.page;
        dashboard.signIn();
    }

    @AfterEach
    void close() {
        dashboard.assertClean();
        dashboard.close();
    }

    Locator edition(int number) {
        return page.locator("#history tr[data-edition='" + number + "']");
    }

    /** The text of the policies in force, as the server has it. */
    String running() {
        return String.valueOf(page.evaluate("async () => (await (await fetch('/v1/policies',"
                + " { headers: { Accept: 'application/json' } })).json()).yaml"));
    }
}
