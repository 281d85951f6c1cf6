package io.sluice.cli.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.ColorScheme;
import io.sluice.cli.CommandRun;
import io.sluice.server.ServerConfig;
import io.sluice.server.SluiceServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard of a server on the memory store. */
class DashboardIT {
    private static final String POLICIES = """
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

    private static Chromium chromium;
    private static SluiceServer server;
    private static Traffic traffic;
    private Dashboard dashboard;
    private Page page;

    @BeforeAll
    static void start() throws IOException {
        chromium = Chromium.start();
        Path file = Files.writeString(directory.resolve("policies.yaml"), POLICIES);
        server = SluiceServer.start(ServerConfig.builder()
                .port(0)
                .respPort(-1)
                .policies(file)
                .adminToken(Dashboard.TOKEN)
                .build());
        traffic = new Traffic(server.port());
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

    private Locator row(String policy) {
        return page.locator("#policy-table tr[data-row='" + policy + "'] td");
    }

    @Test
    void live_showsTheCountsOfTheServer() {
        int allowed = traffic.send("counted", 30);

        // Allowed, denied, their share, shadow, degraded. Only this test sends requests that these policies match.
        assertThat(allowed).isEqualTo(15);
        assertThat(row("counted")).hasText(new String[] {"15", "15", "50%", "0", "0"});
        assertThat(row("trial").nth(3)).hasText("25");
        assertThat(page.locator("#live-status")).hasText("Live");
        assertThat(page.locator("#tile-store")).hasText("OK");
        assertThat(page.locator("#tile-replicas")).hasText("1");
    }

    @Test
    void live_withoutItsServer_saysThatItIsStale_andConnectsAgain() {
        assertThat(page.locator("#live-status")).hasText("Live");
        page.route("**/v1/live**", Route::abort);
        // The stream is open: a reload of the view needs a new one.
        page.getByLabel("This replica").check();
        assertThat(page.locator("#live-status")).containsText("Cannot connect");

        page.unroute("**/v1/live**");

        assertThat(page.locator("#live-status")).hasText("Live");
        dashboard.forgive("ERR_FAILED");
    }

    @Test
    void live_afterManyEvents_holdsNoMoreMemory() {
        long few = heapAfter(360);
        long many = heapAfter(3600);

        assertThat(many).isLessThan(few + few / 5);
    }

    /** The heap of a new page that has got so many events in one response. */
    private long heapAfter(int events) {
        try (Dashboard fed = Dashboard.desktop(chromium.browser(), server.port())) {
            StringBuilder stream = new StringBuilder("retry: 100000\n\n");
            long now = System.currentTimeMillis() / 2000 * 2000;
            for (int i = 0; i < events; i++) {
                long t = now - 2000L * (events - i);
                stream.append("event: tick\ndata: {\"ticks\":[{\"t\":").append(t);
                stream.append(",\"replicas\":1,\"total\":[").append(i % 50).append(",2,0,0],\"policies\":{");
                for (int p = 0; p < 20; p++) {
                    stream.append(p == 0 ? "" : ",")
                            .append("\"policy-")
                            .append(p)
                            .append("\":[")
                            .append(i % 9)
                            .append(",1,0,0]");
                }
                stream.append(
                        "},\"latency_us\":{\"p50\":5,\"p99\":40},\"store_ok\":true}],\"state\":{\"store\":{\"kind\":\"memory\",\"ok\":true},");
                stream.append("\"alerts\":[],\"replicas\":[],\"policies\":[\"policy-1\"],\"edition\":")
                        .append(i)
                        .append("}}\n\n");
            }
            fed.page.route(
                    "**/v1/live/stream**",
                    route -> route.fulfill(new Route.FulfillOptions()
                            .setContentType("text/event-stream")
                            .setBody(stream.toString())));
            fed.signIn();
            assertThat(fed.page.locator("#policy-table")).containsText("policy-19");
            Object used = fed.page.evaluate(
                    "async () => { for (let i = 0; i < 5; i++) {"
                            + " gc(); await new Promise(done => setTimeout(done, 50)); } return performance.memory.usedJSHeapSize; }");
            return ((Number) used).longValue();
        }
    }

    @Test
    void policies_thatAreEdited_takeEffect_andCanBeRolledBack() {
        String before = running();
        dashboard.view("policies");
        assertThat(page.locator("#policy-status")).hasText("Running");
        traffic.send("edited", 10);

        dashboard.type(before.replace("fixed-window 20 per 1h", "fixed-window 3 per 1h"));

        assertThat(page.locator("#policy-status")).hasText("Changed, not applied");
        assertThat(page.locator("#diff .add")).hasText("+     limit: fixed-window 3 per 1h from-first");
        assertThat(page.locator("#diff .del")).hasText("-     limit: fixed-window 20 per 1h from-first");
        dashboard.button("What would it have done?").click();
        assertThat(page.locator("#newly-denied")).containsText(Pattern.compile("[1-9][0-9]* newly denied"));
        dashboard.screenshot("policies-changed");
        assertThat(traffic.allowed("edited")).isTrue();
        dashboard.button("Apply").click();
        assertThat(page.locator("#policy-status")).hasText("Running");
        assertThat(traffic.allowed("edited")).isFalse();
        assertThat(traffic.send("fresh", 5)).isEqualTo(3);

        int first = inForce();
        dashboard.type(before);
        dashboard.button("Apply").click();
        assertThat(edition(first + 1)).containsText("in force");
        edition(first).getByText("Roll back").click();
        assertThat(edition(first + 2)).containsText("in force");
        assertThat(running()).contains("fixed-window 3 per 1h");
        edition(first + 1).getByText("Roll back").click();
        assertThat(edition(first + 3)).containsText("in force");
        assertThat(running()).isEqualTo(before);
    }

    private Locator edition(int number) {
        return page.locator("#history tr[data-edition='" + number + "']");
    }

    private int inForce() {
        Locator current =
                page.locator("#history tr[data-edition]").filter(new Locator.FilterOptions().setHasText("in force"));
        return Integer.parseInt(current.getAttribute("data-edition"));
    }

    private String running() {
        return String.valueOf(page.evaluate("async () => (await (await fetch('/v1/policies',"
                + " { headers: { Accept: 'application/json' } })).json()).yaml"));
    }

    @Test
    void policies_thatAreBad_showTheirLine_andAreNotApplied() {
        String before = running();
        dashboard.view("policies");
        assertThat(page.locator("#policy-status")).hasText("Running");

        dashboard.type("version: 1\npolicies:\n  - name: broken\n    limit: 10/parsec\n");

        assertThat(page.locator("#policy-status")).hasText("Not valid");
        assertThat(page.locator("#problems")).containsText("Line 4 (error)");
        assertThat(page.locator("#editor .ace_gutter-cell.ace_error")).hasText("4");
        assertThat(dashboard.button("Apply")).isDisabled();
        dashboard.screenshot("policies-bad");
        assertThat(running()).isEqualTo(before);
    }

    @Test
    void key_canBeResetPausedAndGivenAnotherLimitForATime() {
        traffic.send("key", 25);
        dashboard.view("keys");
        page.locator("#denied-keys").getByText("tenant=key").first().click();
        Locator state = page.locator("#key-state");
        assertThat(state).containsText("would be denied");
        assertThat(page.locator("#key-history")).containsText("denied by per-tenant");

        dashboard.button("Reset").click();
        assertThat(state).containsText("20 permits");
        assertThat(traffic.allowed("key")).isTrue();

        dashboard.button("Pause for").click();
        assertThat(state).containsText("would be denied");
        assertThat(traffic.allowed("key")).isFalse();
        dashboard.button("Reset").click();
        assertThat(state).containsText("would be allowed");

        page.getByText("Give it a temporary limit").click();
        page.locator("#key-card input[name=limit]").fill("fixed-window 40 per 1h from-first");
        page.locator("#key-card select[name=ttl]").selectOption("5s");
        page.getByLabel("Reason (optional)").fill("a test");
        page.locator("#key-card form").getByText("Apply").click();
        assertThat(state).containsText("fixed-window 40/h from-first");
        assertThat(page.locator("#overrides")).containsText("a test");
        assertThat(traffic.send("key", 25)).isEqualTo(25);
        dashboard.screenshot("keys-override");

        // It ends by itself, and what was used is carried over: 25 of 20.
        assertThat(page.locator("#overrides"))
                .containsText("None.", new LocatorAssertions.ContainsTextOptions().setTimeout(20_000));
        assertThat(state).containsText("would be denied");
        assertThat(traffic.allowed("key")).isFalse();
    }

    @Test
    void explain_saysWhichPoliciesApply() {
        dashboard.view("explain");
        dashboard.button("Explain").click();

        assertThat(page.locator("#verdict")).hasText("allowed");
        assertThat(page.locator("[data-policy='per-tenant']")).containsText("fixed-window 20/h from-first");
        assertThat(page.locator("[data-policy='counted']")).containsText("does not apply");
    }

    @Test
    void playground_decidesAsTheCommandDoes() {
        for (String shape : List.of("steady", "burst", "edge", "attack", "on-off", "diurnal")) {
            Response answer = page.waitForResponse(
                    "**/v1/simulate",
                    () -> dashboard.view("playground?shape=" + shape + "&rate=20&seconds=10&size=40&every=2"));
            answer.finished();
            Locator results = page.locator("#results [data-limit]");
            assertThat(results).hasCount(4);
            String csv = String.valueOf(page.evaluate(
                    "async body => (await fetch('/v1/simulate/trace', { method: 'POST', headers: { 'Sluice-Csrf': '1' }, body })).text()",
                    answer.request().postData()));
            for (int i = 0; i < 4; i++) {
                String limit = results.nth(i).getAttribute("data-limit");
                CommandRun run = CommandRun.with(csv, "simulate", "--limit", limit);
                assertThat(run.exitCode()).isZero();
                long allowed = run.out()
                        .lines()
                        .filter(line -> line.contains(",true,"))
                        .count();
                long denied = run.out()
                        .lines()
                        .filter(line -> line.contains(",false,"))
                        .count();
                long delayed = run.out()
                        .lines()
                        .skip(1)
                        .filter(line -> line.matches("(?:[^,]*,){3}true,(?:[^,]*,){2}[1-9].*"))
                        .count();
                assertThat(List.of(
                                results.nth(i).getAttribute("data-admitted"),
                                results.nth(i).getAttribute("data-denied"),
                                results.nth(i).getAttribute("data-delayed")))
                        .as(shape + " " + limit)
                        .isEqualTo(List.of("" + allowed, "" + denied, "" + delayed));
            }
        }
    }

    @Test
    void playground_ofALink_isReproduced_andABadLimitIsExplained() {
        dashboard.view("playground?shape=burst&rate=5&size=50&every=5&seconds=10&limit=1%2Fs+burst+3&limit=unlimited");
        assertThat(page.locator("#results [data-limit]")).hasCount(2);
        assertThat(page.locator("#summary")).containsText("150 requests");
        page.getByLabel("Limit 1", new Page.GetByLabelOptions().setExact(true)).fill("10/parsec");
        assertThat(page.locator(".box.bad").first()).containsText("limits[0]");
        dashboard.forgive("400");
    }

    @Test
    void page_refusesAWrongToken_andSignsOut() {
        page.locator("#sign-out").click();
        page.getByLabel("Admin token").fill("wrong");
        dashboard.button("Sign in").click();
        assertThat(page.locator(".box.bad")).hasText("That is not the admin token.");
        assertThat(String.valueOf(
                        page.evaluate("() => JSON.stringify(localStorage) + document.cookie + location.href")))
                .doesNotContain("wrong", Dashboard.TOKEN);
        dashboard.forgive("401");
    }

    @Test
    void everyView_hasNoBarriers_inBothThemesAndWidths() {
        traffic.send("barriers", 60);
        List<String> barriers = new ArrayList<>();
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            for (int width : new int[] {1280, 390}) {
                String kind = "-" + scheme.name().toLowerCase(java.util.Locale.ROOT) + (width == 390 ? "-phone" : "");
                try (Dashboard each = new Dashboard(chromium.browser(), server.port(), width, 900, scheme)) {
                    each.page.navigate("http://127.0.0.1:" + server.port() + "/");
                    each.page.getByLabel("Admin token").waitFor();
                    check(each, "sign-in" + kind, barriers);
                    each.signIn();
                    for (String view : List.of("live", "keys", "policies", "explain", "playground")) {
                        each.view(view);
                        ready(each.page, view);
                        check(each, view + kind, barriers);
                    }
                    each.assertClean();
                }
            }
        }
        assertThat(barriers).isEmpty();
    }

    private static void ready(Page page, String view) {
        switch (view) {
            case "live" -> page.locator("#policy-table").waitFor();
            case "keys" -> {
                page.locator("#busiest-keys button").first().click();
                page.locator("#key-state .bucket").first().waitFor();
            }
            case "policies" -> assertThat(page.locator("#policy-status")).hasText("Running");
            case "explain" -> {
                page.locator("main form button[type=submit]").click();
                page.locator("#verdict").waitFor();
            }
            default -> page.locator("#results canvas").first().waitFor();
        }
    }

    private static void check(Dashboard each, String name, List<String> barriers) {
        each.screenshot(name);
        each.barriers().forEach(barrier -> barriers.add(name + ": " + barrier));
        boolean wide = (boolean) each.page.evaluate("() => document.documentElement.scrollWidth > innerWidth");
        if (wide) {
            barriers.add(name + ": wider than the window");
        }
    }
}
