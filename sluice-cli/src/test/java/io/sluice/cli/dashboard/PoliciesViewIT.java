package io.sluice.cli.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.assertions.LocatorAssertions;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The running policies: edit, check, try on recent traffic, apply, go back. */
class PoliciesViewIT extends ViewTests {
    /** The page looks every five seconds whether others have changed something. */
    private static final LocatorAssertions.ContainsTextOptions PATIENTLY =
            new LocatorAssertions.ContainsTextOptions().setTimeout(20_000);

    private Locator status() {
        return page.locator("#policy-status");
    }

    private void openEditor() {
        dashboard.view("policies");
        assertThat(status()).hasText("Running");
    }

    private int inForce() {
        Locator current =
                page.locator("#history tr[data-edition]").filter(new Locator.FilterOptions().setHasText("in force"));
        return Integer.parseInt(current.getAttribute("data-edition"));
    }

    @Test
    void policiesThatAreEdited_takeEffect_andCanBeRolledBack() {
        String before = running();
        openEditor();
        traffic.send("edited", 10);

        dashboard.type(before.replace("fixed-window 20 per 1h", "fixed-window 3 per 1h"));

        assertThat(status()).hasText("Changed, not applied");
        assertThat(page.locator("#diff .add")).hasText("+     limit: fixed-window 3 per 1h from-first");
        assertThat(page.locator("#diff .del")).hasText("-     limit: fixed-window 20 per 1h from-first");
        dashboard.button("What would it have done?").click();
        assertThat(page.locator("#newly-denied")).containsText(Pattern.compile("[1-9][0-9]* newly denied"));
        dashboard.screenshot("policies-changed");
        assertThat(traffic.allowed("edited")).isTrue();
        dashboard.button("Apply").click();
        assertThat(status()).hasText("Running");
        assertThat(traffic.allowed("edited")).isFalse();
        assertThat(traffic.send("fresh", 5)).isEqualTo(3);

        int first = inForce();
        dashboard.type(before);
        dashboard.button("Apply").click();
        assertThat(edition(first + 1)).containsText("in force");
        edition(first).getByText("Roll back").click();
        dashboard.confirm("Roll back");
        assertThat(edition(first + 2)).containsText("in force");
        assertThat(running()).contains("fixed-window 3 per 1h");
        edition(first + 1).getByText("Roll back").click();
        dashboard.confirm("Roll back");
        assertThat(edition(first + 3)).containsText("in force");
        assertThat(running()).isEqualTo(before);
    }

    @Test
    void policiesThatAreBad_showTheirLine_andAreNotApplied() {
        String before = running();
        openEditor();

        dashboard.type("version: 1\npolicies:\n  - name: broken\n    limit: 10/parsec\n");

        assertThat(status()).hasText("Not valid");
        assertThat(page.locator("#problems")).containsText("Line 4 (error)");
        assertThat(page.locator("#editor .ace_gutter-cell.ace_error")).hasText("4");
        assertThat(dashboard.button("Apply")).isDisabled();
        dashboard.screenshot("policies-bad");
        assertThat(running()).isEqualTo(before);
    }

    @Test
    void warnings_standAtTheirLines_andDoNotStopTheChange() {
        String before = running();
        openEditor();
        dashboard.type(before + "  - name: never\n    match: { tenant: { not: \"**\" } }\n    limit: 5/s\n");

        assertThat(status()).hasText("Changed, not applied");
        assertThat(page.locator("#problems")).containsText("(warning)");
        assertThat(page.locator("#editor .ace_gutter-cell.ace_warning")).hasCount(1);
        assertThat(dashboard.button("Apply")).isEnabled();
        dashboard.button("Discard the changes").click();
        assertThat(status()).hasText("Running");
    }

    @Test
    void policiesThatOthersChange_areShown_andNothingIsOverwritten() {
        String before = running();
        openEditor();
        try (Dashboard other = Dashboard.desktop(chromium.browser(), server.port())) {
            other.signIn().view("policies");
            assertThat(other.page.locator("#policy-status")).hasText("Running");
            String mine = before.replace("fixed-window 20 per 1h", "fixed-window 19 per 1h");
            dashboard.type(mine);
            assertThat(status()).hasText("Changed, not applied");
            other.type(before.replace("fixed-window 100000 per 1h", "fixed-window 90000 per 1h"));
            other.button("Apply").click();
            assertThat(other.page.locator("#policy-status")).hasText("Running");

            assertThat(page.locator("#policy-message")).containsText("Somebody else has changed", PATIENTLY);
            dashboard.button("Apply").click();
            assertThat(page.locator("#policy-message")).containsText("Somebody else has changed");
            assertThat(running()).contains("90000").doesNotContain("window 19 ");
            dashboard.button("Compare with what runs now").click();
            assertThat(page.locator("#diff .del")).hasCount(2);
            dashboard.type(before);
            dashboard.button("Apply").click();
            assertThat(status()).hasText("Running");

            // A page without changes of its own follows.
            assertThat(other.page.locator("#editor")).containsText("100000", PATIENTLY);
            other.assertClean();
        }
        assertThat(running()).isEqualTo(before);
        dashboard.forgive("412");
    }

    @Test
    void changesThatAreNotApplied_areKept_whileAnotherViewIsOpen() {
        String before = running();
        openEditor();
        dashboard.type(before + "# not applied\n");
        assertThat(status()).hasText("Changed, not applied");

        page.locator("#tabs").getByText("Live").click();
        assertThat(page.locator("#live-status")).hasText("Live");
        page.locator("#tabs").getByText("Policies").click();

        assertThat(status()).hasText("Changed, not applied");
        assertThat(page.locator("#diff .add")).hasText("+ # not applied");
        assertThat(running()).isEqualTo(before);
    }

    @Test
    void changesThatAreNotApplied_areKept_whenTheSessionEnds() {
        String before = running();
        openEditor();
        dashboard.type(before + "# much work\n");
        assertThat(status()).hasText("Changed, not applied");

        // The page notices when it looks whether others have changed something.
        page.context().clearCookies();
        assertThat(page.locator("main")).containsText("The session has ended", PATIENTLY);
        page.getByLabel("Admin token").fill(Dashboard.TOKEN);
        dashboard.button("Sign in").click();

        assertThat(status()).hasText("Changed, not applied");
        assertThat(page.locator("#diff .add")).hasText("+ # much work");

        // Signing out is on purpose: the next one to sign in does not see them.
        page.locator("#sign-out").click();
        page.getByLabel("Admin token").fill(Dashboard.TOKEN);
        dashboard.button("Sign in").click();
        assertThat(status()).hasText("Running");
        dashboard.forgive("401");
    }

    @Test
    void theEditor_isLeftByTheKeyboard() {
        openEditor();
        page.locator("#editor textarea").focus();
        page.keyboard().press("Escape");
        page.keyboard().press("Tab");
        page.keyboard().press("Tab");

        assertThat((boolean) page.evaluate("() => document.getElementById('editor').contains(document.activeElement)"))
                .isFalse();
    }
}
