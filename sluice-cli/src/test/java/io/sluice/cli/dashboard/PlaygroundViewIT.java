package io.sluice.cli.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import io.sluice.cli.CommandRun;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Several limits on the same traffic. */
class PlaygroundViewIT extends ViewTests {
    private static final String CLOCK_TRACE = """
            time_us,key,permits
            1767225600000000,alice,1
            1767225600100000,alice,25
            1767225600200000,<b>bob</b>,1
            1767225600300000,alice,1
            1767225660000000,alice,3
            """;

    /** Opens a link to the playground, and waits for its results. */
    private Response open(String words) {
        Response answer = page.waitForResponse("**/v1/simulate", () -> dashboard.view("playground?" + words));
        answer.finished();
        return answer;
    }

    private Locator results() {
        return page.locator("#results [data-limit]");
    }

    @Test
    void everyShape_isDecidedAsTheCommandDoes() {
        for (String shape : List.of("steady", "burst", "edge", "attack", "on-off", "diurnal")) {
            Response answer = open("shape=" + shape + "&rate=20&seconds=10&size=40&every=2");
            assertThat(results()).hasCount(4);
            assertThatTheCommandAgrees(
                    shape,
                    String.valueOf(page.evaluate(
                            "async body => (await fetch('/v1/simulate/trace', { method: 'POST', headers: { 'Sluice-Csrf': '1' }, body })).text()",
                            answer.request().postData())));
            dashboard.screenshot("playground-" + shape);
        }
    }

    @Test
    void aPastedTrace_isDecidedAsTheCommandDoes_onTheTimesOfItsClock() {
        open("shape=steady");
        page.getByText("My trace").click();
        page.waitForResponse(
                "**/v1/simulate", () -> page.getByLabel("Trace in CSV").fill(CLOCK_TRACE));

        assertThat(page.locator("#summary")).containsText("5 requests, 2 keys");
        assertThat(page.locator("#summary")).containsText("UTC, from 1 January 2026");
        assertThat(results().first().locator(".legend li")).hasText(new String[] {"Remaining:", "alice", "<b>bob</b>"});
        assertThatTheCommandAgrees("trace", CLOCK_TRACE);
        dashboard.screenshot("playground-trace");

        // The address has the trace.
        page.reload();
        assertThat(page.locator("#summary")).containsText("5 requests, 2 keys");
        assertThat(page.getByLabel("Trace in CSV")).hasValue(CLOCK_TRACE);
    }

    @Test
    void aTraceThatIsBad_orTooLongForALink_isExplained() {
        open("shape=trace&trace=" + URLEncoder.encode("time_us,key,permits\n5,a,1\n4,a,1\n", StandardCharsets.UTF_8));
        assertThat(page.locator(".box.bad")).containsText("3");

        StringBuilder all = new StringBuilder("time_us,key,permits\n");
        for (int i = 0; i < 40_000; i++) {
            all.append(i * 1000L).append(",k,1\n");
        }
        // As a paste does it; to type so much would take long.
        page.getByLabel("Trace in CSV")
                .evaluate(
                        "(area, text) => { area.value = text; area.dispatchEvent(new Event('input')); }",
                        all.toString());

        assertThat(page.locator("#summary")).containsText("40,000 requests");
        assertThat(page.locator("#summary")).containsText("too long to be part of the link");
        assertThat(page.url()).hasSizeLessThan(2000);
        dashboard.forgive("400");
    }

    private void assertThatTheCommandAgrees(String traffic, String csv) {
        for (Locator result : results().all()) {
            String limit = result.getAttribute("data-limit");
            CommandRun run = CommandRun.with(csv, "simulate", "--limit", limit);
            assertThat(run.exitCode()).isZero();
            long allowed = lines(run, "(?:[^,]*,){3}true,.*");
            long denied = lines(run, "(?:[^,]*,){3}false,.*");
            long delayed = lines(run, "(?:[^,]*,){3}true,(?:[^,]*,){2}[1-9].*");
            assertThat(List.of(
                            result.getAttribute("data-admitted"),
                            result.getAttribute("data-denied"),
                            result.getAttribute("data-delayed")))
                    .as(traffic + " " + limit)
                    .isEqualTo(List.of("" + allowed, "" + denied, "" + delayed));
        }
    }

    private static long lines(CommandRun run, String form) {
        return run.out()
                .lines()
                .filter(Pattern.compile(form).asMatchPredicate())
                .count();
    }

    @Test
    void aLimitOfALink_isNoCommandForAShell() {
        open("shape=steady&limit=" + URLEncoder.encode("10/s\"; $(touch x) 'y'\u001B", StandardCharsets.UTF_8));

        assertThat(page.locator("#command")).containsText("--limit '10/s\"; $(touch x) '\\''y'\\''\\u001b' --plot");
        dashboard.forgive("400");
    }

    @Test
    void whatWasTyped_leavesTheAddressOfTheNextViewAlone() {
        page.clock().install();
        open("shape=steady");
        page.getByLabel("Limit 1", new Page.GetByLabelOptions().setExact(true)).fill("5/s");
        page.evaluate("() => { location.hash = '#/explain'; }");
        assertThat(page.locator("h1")).hasText("Explain");

        // Longer than the page waits for more to be typed.
        page.clock().fastForward(2000);
        assertThat(page).hasURL(Pattern.compile("#/explain$"));
    }

    @Test
    void aLink_isReproduced_andABadLimitIsExplained() {
        open("shape=burst&rate=5&size=50&every=5&seconds=10&limit=1%2Fs+burst+3&limit=unlimited");
        assertThat(results()).hasCount(2);
        assertThat(page.locator("#summary")).containsText("150 requests");
        assertThat(page.locator("#command")).containsText("--limit \"1/s burst 3\" --limit \"unlimited\"");
        page.getByLabel("Limit 1", new Page.GetByLabelOptions().setExact(true)).fill("10/parsec");
        assertThat(page.locator(".box.bad").first()).containsText("limits[0]");
        dashboard.forgive("400");
    }
}
