package io.sluice.cli.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import io.sluice.server.SluiceServer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who asks, who is denied, and what can be done about a key. */
class KeysViewIT extends ViewTests {
    private Locator state() {
        return page.locator("#key-state");
    }

    private void lookUp(String policy, String key) {
        page.locator("main form select[name=policy]").selectOption(policy);
        page.locator("main form input[name=key]").fill(key);
        dashboard.button("Look up").click();
    }

    @Test
    void key_canBeResetPausedAndGivenAnotherLimitForAWhile() {
        traffic.send("key", 25);
        dashboard.view("keys");
        page.locator("#denied-keys").getByText("tenant=key").first().click();
        assertThat(state()).containsText("would be denied");
        assertThat(page.locator("#key-history")).containsText("denied by per-tenant");

        dashboard.button("Reset").click();
        assertThat(state()).containsText("20 permits");
        assertThat(traffic.allowed("key")).isTrue();

        dashboard.button("Pause for").click();
        assertThat(state()).containsText("would be denied");
        assertThat(traffic.allowed("key")).isFalse();
        dashboard.button("Reset").click();
        assertThat(state()).containsText("would be allowed");

        page.getByText("Give it a temporary limit").click();
        assertThat(page.locator("#key-card input[name=limit]")).hasValue("fixed-window 20/h from-first");
        page.locator("#key-card input[name=limit]").fill("fixed-window 40 per 1h from-first");
        page.locator("#key-card input[name=ttl]").fill("5s");
        page.getByLabel("Reason (optional)").fill("a test");
        page.locator("#key-card form").getByText("Apply").click();
        assertThat(state()).containsText("fixed-window 40/h from-first");
        assertThat(page.locator("#overrides")).containsText("a test");
        assertThat(traffic.send("key", 25)).isEqualTo(25);
        dashboard.screenshot("keys-override");

        // It ends by itself, and what was used is carried over: 25 of 20.
        assertThat(page.locator("#overrides"))
                .containsText("None.", new LocatorAssertions.ContainsTextOptions().setTimeout(20_000));
        assertThat(state()).containsText("would be denied");
        assertThat(traffic.allowed("key")).isFalse();
    }

    @Test
    void aLimitThatIsRefused_saysWhy_besideTheForm() {
        traffic.send("refused", 1);
        dashboard.view("keys");
        lookUp("per-tenant", "tenant=refused");
        page.getByText("Give it a temporary limit").click();
        page.locator("#key-card input[name=limit]").fill("10/parsec");
        page.locator("#key-card form").getByText("Apply").click();

        assertThat(page.locator("#key-refusal")).containsText("parsec");
        assertThat(page.locator("#overrides")).containsText("None.");
        dashboard.forgive("400");
    }

    @Test
    void anOverride_canBeEndedAtOnce() {
        dashboard.view("keys");
        lookUp("per-tenant", "tenant=ended");
        page.getByText("Give it a temporary limit").click();
        page.locator("#key-card input[name=limit]").fill("blocked");
        page.locator("#key-card form").getByText("Apply").click();
        assertThat(page.locator("#overrides")).containsText("tenant=ended");
        assertThat(traffic.allowed("ended")).isFalse();

        dashboard.button("End now").click();

        assertThat(page.locator("#overrides")).containsText("None.");
        assertThat(traffic.allowed("ended")).isTrue();
    }

    @Test
    void keysOfAnyText_areText() {
        String markup = "<img src=x onerror=alert(1)>&amp;<b>bold</b>";
        String turned = "\u202Ecba\u0645\u0631\u062D\u0628\u0627";
        String emoji = "\uD83D\uDC69\u200D\uD83D\uDCBB, Inc. \"x\"";
        String wide = "w".repeat(180);
        for (String tenant : List.of(markup, turned, emoji, wide)) {
            traffic.send(tenant, 22);
        }
        dashboard.view("keys");
        Locator denied = page.locator("#denied-keys");

        assertThat(denied).containsText("tenant=" + markup);
        assertThat(denied).containsText("tenant=\\u202ecba");
        assertThat(denied).containsText("tenant=" + emoji);
        assertThat(page.locator("main img")).hasCount(0);
        denied.getByText("\uD83D\uDC69").click();
        assertThat(state()).containsText("would be denied");
        dashboard.screenshot("keys-any-text");
        assertThat((boolean) page.evaluate("() => document.documentElement.scrollWidth > innerWidth"))
                .isFalse();
        assertThat((boolean) denied.evaluate("table => table.scrollWidth > table.clientWidth"))
                .as("the counts are beside the longest key")
                .isFalse();
        denied.getByText("onerror").click();
        assertThat(state()).containsText("would be denied");

        // The address of a key opens it again.
        page.reload();
        assertThat(page.locator("#key-card h2")).containsText(markup);
        page.locator("main form input[name=key]").fill("tenant=\uD83D\uDC69\u200D\uD83D\uDCBB, Inc. \"x\"");
        page.locator("main form select[name=policy]").selectOption("per-tenant");
        dashboard.button("Look up").click();
        assertThat(page.locator("#key-card h2")).containsText("\uD83D\uDCBB, Inc.");
        assertThat(state()).containsText("would be denied");
    }

    @Test
    void key_showsTheOverrideThatHolds_alsoWithoutRequests() throws IOException {
        try (SluiceServer own = SluiceServer.start(config("""
                                version: 1
                                policies:
                                  - name: per-tenant
                                    key: [tenant]
                                    limit: fixed-window 20 per 1h from-first
                                    overrides:
                                      - { name: gold, match: { tenant: acme }, limit: fixed-window 90 per 1h from-first }
                                      - { name: bad, match: { tenant: evil }, limit: blocked }
                                      - { name: writes, match: { method: POST }, limit: fixed-window 7 per 1h from-first }
                                """).build());
                Dashboard other = Dashboard.desktop(chromium.browser(), own.port())) {
            other.signIn();
            showKey(other, "acme");
            assertThat(other.page.locator("#key-state .bucket")).hasCount(1);
            assertThat(other.page.locator("#key-state")).containsText("override gold");
            assertThat(other.page.locator("#key-state")).containsText("90 permits");
            showKey(other, "globex");
            assertThat(other.page.locator("#key-state .bucket")).hasCount(1);
            assertThat(other.page.locator("#key-state")).containsText("20 permits");
            assertThat(other.page.locator("#key-state")).containsText("would be allowed");

            // The latest request says which override holds, if the key alone does not.
            new Traffic(own.port()).send("globex", "POST");
            showKey(other, "globex");
            assertThat(other.page.locator("#key-state .bucket")).hasCount(1);
            assertThat(other.page.locator("#key-state")).containsText("override writes");
            assertThat(other.page.locator("#key-state")).containsText("6 permits");

            // A temporary limit holds instead of all of them.
            other.page.getByText("Give it a temporary limit").click();
            other.page.locator("#key-card input[name=limit]").fill("fixed-window 5 per 1h from-first");
            other.page.locator("#key-card form").getByText("Apply").click();
            assertThat(other.page.locator("#key-state")).containsText("4 permits");
            assertThat(other.page.locator("#key-state .bucket")).hasCount(1);
            other.assertClean();
        }
    }

    private static void showKey(Dashboard dashboard, String tenant) {
        dashboard.view("keys");
        dashboard.page.locator("main form input[name=key]").fill("tenant=" + tenant);
        dashboard.page.locator("main form select[name=policy]").selectOption("per-tenant");
        dashboard.button("Look up").click();
        assertThat(dashboard.page.locator("#key-card h2")).containsText("tenant=" + tenant);
    }

    @Test
    void tables_ofOnePolicy_haveItsKeysOnly() {
        traffic.send("counted", 40);
        dashboard.view("keys");
        page.getByLabel("Policy", new Page.GetByLabelOptions().setExact(true))
                .first()
                .selectOption("counted");

        assertThat(page.locator("#busiest-keys tbody tr")).hasCount(1);
        assertThat(page.locator("#busiest-keys tbody tr")).containsText("tenant=counted");
        assertThat(page.locator("#denied-keys tbody tr")).hasCount(1);
    }
}
