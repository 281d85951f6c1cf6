package io.sluice.cli.simulate.plot;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.CommandRun;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class PlotTest {
    @TempDir
    Path directory;

    private CommandRun simulate(String trace, String... limits) {
        List<String> args = new ArrayList<>(List.of("simulate", "--plot", plot().toString()));
        for (String limit : limits) {
            args.add("--limit");
            args.add(limit);
        }
        return CommandRun.with(trace, args.toArray(String[]::new));
    }

    private Path plot() {
        return directory.resolve("plot.svg");
    }

    /** All texts of a plot. Fails if the SVG is not well-formed. */
    private List<String> texts() throws Exception {
        Document svg = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(Files.readString(plot()))));
        NodeList nodes = svg.getElementsByTagName("text");
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            texts.add(nodes.item(i).getTextContent());
        }
        return texts;
    }

    private List<String> files() throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    @Test
    void plot_hasAPanelForEachLimit() throws Exception {
        CommandRun ran = simulate(
                CommandRun.HEADER + "0,a,1\n1000,a,1\n2000,b,1\n3000,a,1\n",
                "2/s",
                "leaky-bucket 1/s capacity 3",
                "blocked");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err()).isEmpty();
        assertThat(texts())
                .contains(
                        "stdin: 4 requests, 2 keys",
                        "token-bucket 2/s",
                        "4 arrived · 3 admitted (75.0%) · 1 denied (25.0%) · worst 1 s: 2 permits (rate: 2)",
                        "leaky-bucket 1/s capacity 3",
                        "4 arrived · 4 admitted (100.0%) · 0 denied (0.0%) · admitted ones wait up to 2 s"
                                + " · worst 1 s: 1 permits (rate: 1)",
                        "blocked",
                        "4 arrived · 0 admitted (0.0%) · 4 denied (100.0%)",
                        "remaining: of keys \"a\" (3 requests), \"b\" (1 request), the most of any key");
        assertThat(files()).containsExactly("plot.svg");
    }

    @Test
    void plot_ofCalendarAndWarmUp_hasTheirDecisions() throws Exception {
        // 2026-01-01T00:00:00Z, and one second, one minute, a day and a week later.
        CommandRun ran = simulate(
                CommandRun.HEADER
                        + "1767225600000000,a,1\n1767225601000000,a,1\n1767225660000000,a,1\n"
                        + "1767312000000000,a,1\n1767830400000000,a,1\n",
                "fixed-window 2 per day zone Asia/Shanghai",
                "warm-up 1/s over 10s",
                "fixed-window 1 per week lockout 1m escalate 3");

        assertThat(ran.err()).isEmpty();
        assertThat(texts())
                .contains(
                        "fixed-window 2 per day zone Asia/Shanghai",
                        "5 arrived · 4 admitted (80.0%) · 1 denied (20.0%)",
                        "warm-up 1/s over 10s",
                        "fixed-window 1 per week lockout 1m escalate 3",
                        "5 arrived · 2 admitted (40.0%) · 3 denied (60.0%)");
    }

    /** Its remaining permits are all or none with every request, so a line of them would be a black area. */
    @Test
    void plot_ofWarmUp_hasNoLineOfRemainingPermits() throws Exception {
        StringBuilder trace = new StringBuilder(CommandRun.HEADER);
        for (int i = 0; i < 400; i++) {
            trace.append(i * 50_000L).append(",a,1\n");
        }
        simulate(trace.toString(), "warm-up 10/s over 10s", "10/s");

        assertThat(Files.readString(plot()).lines().filter(PlotTest::isLineOfRemainingPermits))
                .hasSize(1);
    }

    private static boolean isLineOfRemainingPermits(String element) {
        return element.contains("stroke-linejoin=\"round\"") && element.startsWith("<path d=\"M72 ");
    }

    @Test
    void plot_ofPolicies_hasAPanelForEach_andClockTime() throws Exception {
        Path policies = Files.writeString(directory.resolve("policies.yaml"), """
                version: 1
                policies:
                  - { name: all, limit: 3/s }
                  - { name: per-tenant, key: [tenant], limit: leaky-bucket 1/s capacity 2 }
                  - { name: unused, mode: "off", limit: 1/s }
                """);
        StringBuilder requests = new StringBuilder();
        for (int i = 0; i < 5; i++) {
            requests.append("{\"time_us\":17672256000").append(i).append("0000,\"attributes\":{\"tenant\":\"a\"}}\n");
        }

        CommandRun ran = CommandRun.with(
                requests.toString(), "simulate", "--config", policies.toString(), "--plot", plot().toString());

        assertThat(ran.err()).isEmpty();
        assertThat(texts())
                .contains(
                        "all: token-bucket 3/s",
                        "per-tenant: leaky-bucket 1/s capacity 2",
                        "time (UTC), from 1 January 2026 00:00:00")
                .contains(
                        "5 arrived · 2 admitted (40.0%) · 0 denied (0.0%) · 3 denied by others · worst 1 s: 2 permits (rate: 3)")
                .as("each panel names the keys of its lines")
                .contains("all requests", "tenant=a")
                .noneMatch(text -> text.contains("unused"));
    }

    /** The first second of a bucket that was emptied at once: its permits come back while nobody asks. */
    @Test
    void plot_showsHowPermitsComeBack() throws Exception {
        simulate(CommandRun.HEADER + "0,a,10\n1000000,a,1\n", "10/s");

        String line = Files.readString(plot())
                .lines()
                .filter(PlotTest::isLineOfRemainingPermits)
                .findFirst()
                .orElseThrow();
        assertThat(line.split("V", -1)).hasSizeGreaterThan(10);
    }

    @Test
    void plot_withTheNameOfAPng_isAPicture() throws Exception {
        Path png = directory.resolve("plot.png");

        CommandRun ran = CommandRun.with(
                CommandRun.HEADER + "0,a,1\n500000,a,1\n", "simulate", "--limit", "1/s", "--plot", png.toString());

        assertThat(ran.err()).isEmpty();
        java.awt.image.BufferedImage image = javax.imageio.ImageIO.read(png.toFile());
        assertThat(image.getWidth()).isEqualTo(1920);
        // The colours of admitted and of denied requests are in it.
        assertThat(colours(image)).contains(0x2b87c8, 0xe8833a, 0xffffff);
    }

    private static java.util.Set<Integer> colours(java.awt.image.BufferedImage image) {
        java.util.Set<Integer> colours = new java.util.HashSet<>();
        for (int x = 0; x < image.getWidth(); x++) {
            for (int y = 0; y < image.getHeight(); y++) {
                colours.add(image.getRGB(x, y) & 0xffffff);
            }
        }
        return colours;
    }

    @Test
    void plot_ofKeysWithMarkup_isWellFormed() throws Exception {
        simulate(CommandRun.HEADER + "0,\"<&\"\"\u0001\uFFFE]]>\n\uD83D\uDD11\",1\n", "1/s");

        assertThat(texts())
                .contains("remaining: of key \"<&\"\\u0001\uFFFD]]>\\n\uD83D\uDD11\" (1 request), the most of any key");
    }

    @Test
    void plot_ofNoRows_saysSo() throws Exception {
        simulate(CommandRun.HEADER, "1/s", "unlimited");

        assertThat(texts()).contains("no requests", "unlimited");
    }

    @Test
    void plot_ofManyRowsAndKeys_staysSmall() throws Exception {
        StringBuilder trace = new StringBuilder(CommandRun.HEADER);
        for (long i = 0; i < 100_000; i++) {
            trace.append(i * i * 7).append(",key-").append(i % 3 == 0 ? 0 : i).append(",1\n");
        }

        simulate(trace.toString(), "10/s", "sliding-log 10/s", "1/d", "unlimited");

        assertThat(Files.size(plot())).isLessThan(4 * 50_000);
        assertThat(texts())
                .contains(
                        "stdin: 100,000 requests, more than 256 keys",
                        "remaining: of keys \"key-0\" (33,334 requests), \"key-1\" (1 request), \"key-10\" (1 request),"
                                + " the most of any key among the first 256");
    }

    @Test
    void plot_overAllOfTime_isDrawn() throws Exception {
        simulate(CommandRun.HEADER + "0,a,1\n9007199254740991,a,9007199254740991\n", "1/s", "1125899906842624/ms");

        assertThat(texts()).contains("token-bucket 1/s", "100000 d");
    }

    @Test
    void plot_afterABadRow_isNotTouched() throws IOException {
        Files.writeString(plot(), "before");

        CommandRun ran = simulate(CommandRun.HEADER + "0,a,1\nx\n", "1/s");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(Files.readString(plot())).isEqualTo("before");
        assertThat(files()).containsExactly("plot.svg");
    }

    @Test
    void plot_thatCannotBeWritten_isRefusedBeforeTheRun() {
        Path nowhere = directory.resolve("no/such/plot.svg");

        CommandRun ran = CommandRun.with(
                CommandRun.HEADER + "0,a,1\n", "simulate", "--limit", "1/s", "--plot", nowhere.toString());

        assertThat(ran)
                .isEqualTo(new CommandRun(
                        2,
                        "",
                        "sluice simulate: plot " + nowhere
                                + " cannot be written: no such directory (expected: a file such as plot.svg)\n"));
    }

    @Test
    void plot_thatIsNoFile_isRefused() {
        CommandRun ran =
                CommandRun.with(CommandRun.HEADER, "simulate", "--limit", "1/s", "--plot", directory.toString());

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .isEqualTo("sluice simulate: plot " + directory
                        + " is not a regular file (expected: a file such as plot.svg)\n");
    }

    @Test
    void longTexts_fitIntoTheWidth() throws Exception {
        String name = "x".repeat(60);
        Path policies = Files.writeString(directory.resolve("policies.yaml"), """
                version: 1
                policies:
                  - { name: %s, limit: sliding-counter 1000 per 1h slots 60 lockout 1h escalate 3 }
                  - { name: all, limit: leaky-bucket 10/s capacity 50 }
                  - { name: one, key: [tenant], limit: 1/s burst 20 }
                """.formatted(name));
        CommandRun ran = CommandRun.with(
                "{\"time_us\":0,\"attributes\":{\"tenant\":\"a\"}}\n".repeat(100),
                "simulate",
                "--config",
                policies.toString(),
                "--plot",
                plot().toString());

        assertThat(ran.exitCode()).isZero();
        assertThat(texts()).anyMatch(text -> text.startsWith(name) && text.endsWith("...") && text.length() < 100);
        assertThat(Files.readString(plot())).containsPattern("font-size=\"10\"[^>]*>100 arrived[^<]*denied by others");
    }
}
