package io.sluice.cli.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.Cookie;
import com.microsoft.playwright.options.SameSiteAttribute;
import io.sluice.server.DashboardAccess;
import io.sluice.server.SluiceServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** What all views share: who may see them, themes, widths, barriers. */
class PageIT extends ViewTests {
    private static final String STORED =
            "() => JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + document.cookie + location.href";

    @Test
    void aWrongToken_isRefused_againAndAgain_andTheRightOneStillWorks() {
        page.locator("#sign-out").click();
        for (int i = 0; i < 7; i++) {
            page.getByLabel("Admin token").fill("wrong");
            dashboard.button("Sign in").click();
            assertThat(page.locator(".box.bad")).hasText("That is not the admin token.");
            assertThat(page.getByLabel("Admin token")).hasValue("");
        }
        dashboard.screenshot("sign-in-wrong");
        page.getByLabel("Admin token").fill(Dashboard.TOKEN);
        dashboard.button("Sign in").click();
        assertThat(page.locator("#live-status")).hasText("Live");
        assertThat(String.valueOf(page.evaluate(STORED))).doesNotContain("wrong", Dashboard.TOKEN);
        assertThat(page.context().cookies()).allMatch(PageIT::isOutOfReach).hasSize(1);
        dashboard.forgive("401");
    }

    private static boolean isOutOfReach(Cookie cookie) {
        return cookie.httpOnly && cookie.sameSite == SameSiteAttribute.STRICT;
    }

    @Test
    void aServerThatLetsEverybodyLook_showsAllViews_andChangesNothing() throws IOException {
        try (SluiceServer open = SluiceServer.start(
                        config(POLICIES).dashboard(DashboardAccess.READ_ONLY).build());
                Dashboard visitor = Dashboard.desktop(chromium.browser(), open.port())) {
            new Traffic(open.port()).send("seen", 25);
            visitor.view("live");
            assertThat(visitor.page.locator("#live-status")).hasText("Live");
            assertThat(visitor.page.locator("#sign-in-open")).isVisible();
            visitor.view("keys");
            visitor.page.locator("#denied-keys button").first().click();
            assertThat(visitor.page.locator("#key-state")).containsText("would be denied");
            assertThat(visitor.page.locator("#key-card")).containsText("Sign in to reset it");
            assertThat(visitor.button("Reset")).hasCount(0);
            visitor.screenshot("keys-read-only");
            visitor.view("policies");
            assertThat(visitor.page.locator("#policy-status")).hasText("Running, read only");
            assertThat(visitor.page.locator("#editor")).containsText("per-tenant");
            assertThat(visitor.button("Apply")).isDisabled();
            visitor.screenshot("policies-read-only");
            visitor.view("explain");
            visitor.button("Explain").click();
            assertThat(visitor.page.locator("#verdict")).hasText("allowed");
            visitor.view("playground");
            assertThat(visitor.page.locator("#results [data-limit]")).hasCount(4);

            visitor.page.locator("#sign-in-open").click();
            visitor.page.getByLabel("Admin token").fill(Dashboard.TOKEN);
            visitor.button("Sign in").click();
            assertThat(visitor.page.locator("#sign-out")).isVisible();
            visitor.assertClean();
        }
    }

    @Test
    void aServerWithoutAToken_saysHowToGiveItOne() throws IOException {
        try (SluiceServer closed =
                        SluiceServer.start(configWithoutToken(POLICIES).build());
                Dashboard visitor = Dashboard.desktop(chromium.browser(), closed.port())) {
            visitor.page.navigate("http://127.0.0.1:" + closed.port() + "/");
            assertThat(visitor.page.locator("main")).containsText("--admin-token-file FILE");
            assertThat(visitor.page.getByLabel("Admin token")).hasCount(0);
            visitor.screenshot("sign-in-closed");
            visitor.assertClean();
        }
    }

    @Test
    void anAddressOfNoView_showsTheFirst() {
        for (String name : List.of("constructor", "nothing", "%3Cimg%20src=x%3E", "")) {
            dashboard.view(name);
            assertThat(page.locator("h1")).hasText("Live");
        }
    }

    @Test
    void everyView_isReachedByTheKeyboard() {
        for (String view : List.of("Live", "Keys", "Policies", "Explain", "Playground")) {
            page.locator("#tabs").getByText(view).focus();
            page.keyboard().press("Enter");
            assertThat(page.locator("h1")).hasText(view);
            assertThat(page.locator("#tabs [aria-current=page]")).hasText(view);
            assertThat(page).hasTitle(view + " · Sluice");
            assertThat(page.locator("main")).isFocused();
        }
    }

    @Test
    void everyView_hasNoBarriers_inBothThemesAndWidths() {
        traffic.send("barriers", 60);
        List<String> barriers = new ArrayList<>();
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            for (int width : new int[] {1280, 390}) {
                String kind = "-" + scheme.name().toLowerCase(Locale.ROOT) + (width == 390 ? "-phone" : "");
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
