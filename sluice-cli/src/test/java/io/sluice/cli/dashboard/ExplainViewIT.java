package io.sluice.cli.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which policies apply to a request, and why. */
class ExplainViewIT extends ViewTests {
    @Test
    void explain_saysWhichPoliciesApply() {
        dashboard.view("explain");
        dashboard.button("Explain").click();

        assertThat(page.locator("#verdict")).hasText("allowed");
        assertThat(page.locator("[data-policy='per-tenant']")).containsText("fixed-window 20/h from-first");
        assertThat(page.locator("main")).containsText("2 more do not apply");
        assertThat(page.locator("dd[data-policy='counted']")).isVisible();
    }

    @Test
    void attributes_haveAnyName() {
        dashboard.view("explain");
        page.locator("input[name=name]").first().fill("__proto__");
        dashboard.button("Explain").click();

        assertThat(page.locator("main")).containsText("No policy uses __proto__, path.");
    }

    @Test
    void theAddress_asksTheSameAgain() {
        traffic.send("linked", 25);
        dashboard.view("explain");
        page.locator("input[name=value]").first().fill("linked");
        dashboard.button("Explain").click();
        assertThat(page.locator("#verdict")).hasText("denied");

        page.reload();

        assertThat(page.locator("#verdict")).hasText("denied");
        page.locator("[data-policy='per-tenant']").getByText("Open this key").click();
        assertThat(page.locator("#key-state")).containsText("would be denied");
    }
}
