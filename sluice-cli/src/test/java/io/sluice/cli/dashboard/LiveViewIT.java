package io.sluice.cli.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import io.sluice.server.ServerConfig;
import io.sluice.server.SluiceServer;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What is decided now, and in the last 15 minutes. */
class LiveViewIT extends ViewTests {
    private static final LocatorAssertions.ContainsTextOptions PATIENTLY =
            new LocatorAssertions.ContainsTextOptions().setTimeout(40_000);

    private Locator row(String policy) {
        return page.locator("#policy-table tr[data-row='" + policy + "'] td");
    }

    private Locator status() {
        return page.locator("#live-status");
    }

    @Test
    void live_showsTheCountsOfTheServer() {
        int allowed = traffic.send("counted", 30);

        // Requests now, allowed, denied, their share, shadow, degraded. Only this test sends requests that these
        // policies match.
        assertThat(allowed).isEqualTo(15);
        assertThat(row("counted")).hasText(new Pattern[] {
            Pattern.compile("[\\d.]+"),
            Pattern.compile("^15$"),
            Pattern.compile("^15$"),
            Pattern.compile("^50%$"),
            Pattern.compile("^0$"),
            Pattern.compile("^0$")
        });
        assertThat(row("trial").nth(4)).hasText("25");
        assertThat(status()).hasText("Live");
        assertThat(page.locator("#tile-store")).hasText("OK");
        assertThat(page.locator("#tile-replicas")).hasText("1");
    }

    @Test
    void requestsThatAShadowPolicyWouldDeny_areAmongTheDecisions() throws IOException {
        try (SluiceServer own = SluiceServer.start(config(POLICIES).build());
                Dashboard other = Dashboard.desktop(chromium.browser(), own.port())) {
            // 5 are allowed, 10 are allowed although "trial" would deny them, and 15 are denied.
            new Traffic(own.port()).send("counted", 30);
            other.signIn();

            assertThat(other.page.locator(".tile", withText("Decisions"))).containsText("30 in 15 min");
            assertThat(other.page.locator("#tile-denied")).hasText("50%");
            assertThat(other.page.locator(".tile", withText("Denied"))).containsText("15 in 15 min");
            assertThat(other.page.locator("canvas").first())
                    .hasAttribute("aria-label", Pattern.compile("Allowed 5, denied 15, shadow 10, degraded 0\\."));
            assertThat(other.page.locator("canvas").nth(1)).hasAttribute("aria-label", Pattern.compile(": 50% in all"));
            other.assertClean();
        }
    }

    private static Page.LocatorOptions withText(String text) {
        return new Page.LocatorOptions().setHasText(text);
    }

    @Test
    void aChosenPolicy_hasItsChart() {
        traffic.send("chart", 25);
        page.locator("#policy-table [data-policy='per-tenant']").click();

        assertThat(page.getByText("Decisions a second: per-tenant")).isVisible();
        assertThat(page.locator("#policy-table tr.chosen")).hasAttribute("data-row", "per-tenant");
        assertThat(page.getByLabel("Policy of the charts")).hasValue("per-tenant");
        assertThat(page.locator("canvas").first()).hasAttribute("aria-label", Pattern.compile("denied [1-9]"));
    }

    @Test
    void withoutAnAnswer_thePageSaysSo_andConnectsAgain() {
        assertThat(status()).hasText("Live");
        page.route("**/v1/live**", Route::abort);
        page.getByLabel("This replica").check();
        assertThat(status()).containsText("Cannot connect");

        page.unroute("**/v1/live**");

        assertThat(status()).hasText("Live");
        dashboard.forgive("ERR_FAILED");
    }

    @Test
    void whenTheServerRestarts_thePageIsStale_andConnectsAgain() throws IOException {
        ServerConfig config = config(POLICIES).build();
        SluiceServer first = SluiceServer.start(config);
        ServerConfig samePort = config.toBuilder().port(first.port()).build();
        try (Dashboard other = Dashboard.desktop(chromium.browser(), first.port())) {
            other.signIn();
            Locator status = other.page.locator("#live-status");
            assertThat(status).hasText("Live");
            // It comes with the first tick.
            assertThat(other.page.locator("#replica-table")).containsText("alive");

            first.close();
            assertThat(status).containsText(Pattern.compile("Stale: nothing heard for \\d+ s"), PATIENTLY);
            assertThat(other.page.locator("#tile-store")).hasText("Unknown");
            assertThat(other.page.locator("#tile-rate")).hasText("–");
            assertThat(other.page.locator("#replica-table")).containsText("unknown");
            other.screenshot("live-stale");
            try (SluiceServer second = SluiceServer.start(samePort)) {
                new Traffic(second.port()).send("after", 25);
                assertThat(status).containsText("Live", PATIENTLY);
                assertThat(other.page
                                .locator("#policy-table tr[data-row='per-tenant'] td")
                                .nth(2))
                        .hasText("5");
                assertThat(other.page.locator("#tile-store")).hasText("OK");
            }
            other.forgive("ERR_");
            other.forgive("503");
            other.assertClean();
        } finally {
            first.close();
        }
    }

    @Test
    void aStreamThatFallsSilent_isOpenedAgain() {
        // As after a laptop slept: the connection is dead, and the browser is not told.
        page.addInitScript(
                "const Real = EventSource; globalThis.streams = 0; globalThis.EventSource = class extends Real {"
                        + " constructor(url) { super(url); if (++streams === 1) this.addEventListener = () => {}; } };");
        page.reload();
        assertThat(status()).hasText("Live");

        assertThat(status()).containsText("Stale: nothing heard", PATIENTLY);
        page.waitForFunction("() => streams === 2");
        assertThat(status()).hasText("Live");
    }

    @Test
    void policiesOfAnyName_areShown() throws IOException {
        List<String> names = List.of("constructor", "__proto__", "<img src=x onerror=alert(1)>", "a \"b\" 'c' \\\\ d");
        StringBuilder policies = new StringBuilder("version: 1\npolicies:\n");
        for (String name : names) {
            policies.append("  - { name: '").append(name.replace("'", "''"));
            policies.append("', key: [tenant], limit: fixed-window 5 per 1h from-first }\n");
        }
        try (SluiceServer own = SluiceServer.start(config(policies.toString()).build());
                Dashboard other = Dashboard.desktop(chromium.browser(), own.port())) {
            other.signIn();
            Locator rows = other.page.locator("#policy-table tbody tr");
            new Traffic(own.port()).send("acme", 8);
            assertThat(rows).hasCount(names.size());
            for (int i = 0; i < names.size(); i++) {
                assertThat(rows.nth(i).locator("th")).hasText(names.get(i));
                assertThat(rows.nth(i).locator("td").nth(2)).hasText("3");
                rows.nth(i).locator("button").click();
                assertThat(other.page.locator("h2").first()).hasText("Decisions a second: " + names.get(i));
                assertThat(other.page.locator("canvas").first())
                        .hasAttribute("aria-label", Pattern.compile("Allowed 5, denied 3,"));
            }
            assertThat(other.page.locator("main img")).hasCount(0);
            for (String view : List.of("keys", "policies")) {
                other.view(view);
                assertThat(other.page.locator("main")).containsText("constructor");
            }
            other.view("explain");
            other.button("Explain").click();
            assertThat(other.page.locator("section[data-policy]")).hasCount(names.size());
            assertThat(other.page.locator("main img")).hasCount(0);
            other.assertClean();
        }
    }

    @Test
    void aTimeWithoutTicks_isAGap_andNoLineLeadsOverIt() throws IOException {
        long now = System.currentTimeMillis() / 2000 * 2000;
        String stream = "retry: 100000\n\nevent: tick\ndata: {\"ticks\":[" + tick(now - 600_000, 7) + "," + tick(now, 0)
                + "],\"state\":{}}\n\n";
        try (SluiceServer own = SluiceServer.start(config(POLICIES).build());
                Dashboard fed = Dashboard.desktop(chromium.browser(), own.port())) {
            fed.page.route(
                    "**/v1/live/stream**",
                    route -> route.fulfill(new Route.FulfillOptions()
                            .setContentType("text/event-stream")
                            .setBody(stream)));
            fed.signIn();

            assertThat(fed.page.locator(".tile", withText("Decisions"))).containsText("7 in 15 min");
            assertThat(
                            fed.page.evaluate(
                                    "() => Chart.getChart(document.querySelector('canvas')).data.datasets[0].data.slice(0, 2).map(at => at.y)"))
                    .isEqualTo(Arrays.asList(3.5, null));
        }
    }

    private static String tick(long time, int allowed) {
        return "{\"t\":" + time + ",\"replicas\":1,\"total\":[" + allowed
                + ",0,0,0],\"policies\":{},\"latency_us\":null,\"store_ok\":true}";
    }

    @Test
    void whenTheServerHasAnotherToken_thePageAsksForIt() throws IOException {
        ServerConfig config = config(POLICIES).build();
        SluiceServer first = SluiceServer.start(config);
        try (Dashboard other = Dashboard.desktop(chromium.browser(), first.port())) {
            other.signIn();
            assertThat(other.page.locator("#live-status")).hasText("Live");
            first.close();
            try (SluiceServer second = SluiceServer.start(config.toBuilder()
                    .port(first.port())
                    .adminToken("another-token-for-tests")
                    .build())) {
                assertThat(other.page.locator("main")).containsText("The session has ended", PATIENTLY);
                assertThat(second.port()).isEqualTo(first.port());
            }
            other.forgive("ERR_");
            other.forgive("503");
            other.forgive("401");
            other.assertClean();
        } finally {
            first.close();
        }
    }

    @Test
    void aTabThatNobodySees_givesItsConnectionBack() {
        assertThat(status()).hasText("Live");
        page.evaluate(
                "() => { Object.defineProperty(document, 'hidden', { get: () => globalThis.away, configurable: true });"
                        + " globalThis.away = true; document.dispatchEvent(new Event('visibilitychange')); }");
        assertThat(status()).containsText("Paused", PATIENTLY);
        traffic.send("meanwhile", 25);

        page.evaluate("() => { globalThis.away = false; document.dispatchEvent(new Event('visibilitychange')); }");

        assertThat(status()).hasText("Live");
        assertThat(row("per-tenant").nth(2)).not().hasText("0");
    }

    @Test
    void thousandsOfPolicies_areFoundByName() throws IOException {
        StringBuilder policies = new StringBuilder("version: 1\npolicies:\n");
        for (int i = 0; i < 5000; i++) {
            policies.append("  - { name: policy-").append(i).append(", match: { tenant: t");
            policies.append(i).append(" }, key: [tenant], limit: fixed-window 5 per 1h from-first }\n");
        }
        try (SluiceServer large = SluiceServer.start(config(policies.toString()).build());
                Dashboard other = Dashboard.desktop(chromium.browser(), large.port())) {
            new Traffic(large.port()).send("t4711", 7);
            other.signIn();
            Locator rows = other.page.locator("#policy-table tbody tr");
            assertThat(rows.first()).hasAttribute("data-row", "policy-4711");
            assertThat(rows).hasCount(25);
            other.screenshot("live-5000-policies");
            other.page.getByLabel("Find a policy").fill("policy-47");
            assertThat(other.page.locator("main")).containsText("of 111");
            other.view("explain");
            other.page.locator("input[name=value]").first().fill("t4711");
            other.button("Explain").click();
            assertThat(other.page.locator("#verdict")).hasText("denied");
            assertThat(other.page.locator("section[data-policy]")).hasCount(1);
            assertThat(other.page.locator("main")).containsText("4,999 more do not apply");
            other.view("policies");
            assertThat(other.page.locator("#policy-status")).hasText("Running");
            other.assertClean();
        }
    }

    @Test
    void afterManyEvents_thePageHoldsNoMoreMemory() {
        long few = heapAfter(360);
        long many = heapAfter(3600);

        assertThat(many).isLessThan(few + few / 5);
    }

    /** The heap of a new page that has got so many events in one response. */
    private static long heapAfter(int events) {
        try (Dashboard fed = Dashboard.desktop(chromium.browser(), server.port())) {
            String stream = new FedStream(events).body();
            fed.page.route(
                    "**/v1/live/stream**",
                    route -> route.fulfill(new Route.FulfillOptions()
                            .setContentType("text/event-stream")
                            .setBody(stream)));
            fed.signIn();
            // Only the last event has this alert.
            assertThat(fed.page.locator("main")).containsText(FedStream.LAST);
            CDPSession session = fed.page.context().newCDPSession(fed.page);
            session.send("HeapProfiler.collectGarbage");
            return session.send("Runtime.getHeapUsage").get("usedSize").getAsLong();
        }
    }
}
