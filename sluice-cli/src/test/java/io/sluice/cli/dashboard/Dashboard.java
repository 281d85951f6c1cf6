package io.sluice.cli.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The dashboard of one server in a tab of its own. It collects what must not happen: other origins, errors. */
final class Dashboard implements AutoCloseable {
    static final String TOKEN = "open-sesame-for-tests";

    private static final String AXE = axe();

    private final String origin;
    private final BrowserContext context;
    private final List<String> foreign = new ArrayList<>();
    private final List<String> errors = new ArrayList<>();
    final Page page;

    Dashboard(Browser browser, int port, int width, int height, ColorScheme scheme) {
        this.origin = "http://127.0.0.1:" + port;
        context = browser.newContext(new Browser.NewContextOptions()
                .setViewportSize(width, height)
                .setColorScheme(scheme)
                .setTimezoneId("UTC"));
        context.setDefaultTimeout(15_000);
        page = context.newPage();
        page.onRequest(request -> {
            if (!request.url().startsWith(origin + "/") && !request.url().startsWith("blob:" + origin)) {
                foreign.add(request.url());
            }
        });
        page.onConsoleMessage(message -> {
            if (message.type().equals("error") || message.type().equals("warning")) {
                errors.add(message.type() + ": " + message.text() + " " + message.location());
            }
        });
        page.onPageError(error -> errors.add("uncaught: " + error));
        // The page asks before it is left with changes.
        page.onDialog(dialog -> dialog.accept());
    }

    static Dashboard desktop(Browser browser, int port) {
        return new Dashboard(browser, port, 1280, 900, ColorScheme.LIGHT);
    }

    /** Opens the page and signs in. */
    Dashboard signIn() {
        page.navigate(origin + "/");
        page.getByLabel("Admin token").fill(TOKEN);
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Sign in"))
                .click();
        page.locator("#tabs").waitFor();
        return this;
    }

    Dashboard view(String name) {
        page.navigate(origin + "/#/" + name);
        page.locator("h1").first().waitFor();
        return this;
    }

    Locator button(String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    /** Replaces the text of the editor, as a user who selects all and types. */
    void type(String yaml) {
        page.locator("#editor textarea").focus();
        page.keyboard().press("Control+a");
        page.keyboard().insertText(yaml);
    }

    /** Answers the question of the page with yes. */
    void confirm(String yes) {
        page.locator("dialog")
                .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(yes))
                .click();
    }

    void screenshot(String name) {
        page.screenshot(new Page.ScreenshotOptions()
                .setPath(Path.of("target", "screenshots", name + ".png"))
                .setFullPage(true));
    }

    /** The barriers that axe-core finds, one text for each. */
    List<String> barriers() {
        page.evaluate(AXE);
        Object found = page.evaluate(
                "async () => (await axe.run(document, { resultTypes: ['violations'] })).violations"
                        + ".map(v => v.id + ': ' + v.nodes.map(n => n.target.join(' ') + ' ' + (n.any[0]?.message ?? '')).slice(0, 4).join(' | '))");
        List<String> barriers = new ArrayList<>();
        ((List<?>) found).forEach(each -> barriers.add(String.valueOf(each)));
        return barriers;
    }

    void assertClean() {
        assertThat(foreign).as("requests outside of the origin").isEmpty();
        assertThat(errors).as("errors of the console").isEmpty();
    }

    /** Forgets errors that a test has provoked, such as a refused request. */
    void forgive(String part) {
        errors.removeIf(error -> error.contains(part));
    }

    private static String axe() {
        try (InputStream in = Objects.requireNonNull(Dashboard.class.getResourceAsStream("/axe.min.js"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
