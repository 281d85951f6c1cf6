package io.sluice.cli.simulate.plot;

import io.sluice.server.json.DisplayText;
import io.sluice.server.simulate.chart.ChartData;
import io.sluice.server.simulate.chart.ChartPanel;
import io.sluice.server.simulate.chart.TimeScale;
import io.sluice.server.simulate.chart.Timeline;
import io.sluice.server.simulate.chart.WatchedKey;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Draws {@link ChartData} as a self-contained SVG: one panel for each limit or policy above a common time axis. */
public final class Plot {
    private static final int WIDTH = 960;
    private static final int LEFT = 72;
    private static final int RIGHT = WIDTH - 72;
    private static final int TOP = 58;
    private static final int PANEL = 190;
    private static final int BOTTOM = 66;
    private static final int MOST_BARS = 120;
    private static final int LEAST_BARS = 10;
    private static final int MOST_OF_NAME = 40;
    private static final int MOST_OF_KEY = 24;

    /** The keys whose remaining permits are drawn. */
    static final int MOST_KEYS = 3;

    static final String GRID = "stroke=\"#ddd\" fill=\"none\"";
    private static final String SMALL = "font-size=\"11\" fill=\"#555\"";

    private final ChartData<?, ?> data;
    private final String source;
    private final long barWidth;
    private final long span;
    private final TimeAxis axis;
    private final Svg svg;

    private Plot(ChartData<?, ?> data, String source) {
        this.data = data;
        this.source = source.substring(source.lastIndexOf('/') + 1);
        Timeline timeline = data.timeline();
        this.barWidth = timeline.barWidth(MOST_BARS);
        long bars = (timeline.bins() * timeline.width() + barWidth - 1) / barWidth;
        this.span = Math.max(bars, LEAST_BARS) * barWidth;
        this.axis = TimeAxis.of(Math.max(0, timeline.start()), span);
        this.svg = new Svg(WIDTH, TOP + data.panels().size() * PANEL + BOTTOM, "Sluice: " + this.source, description());
    }

    /** Draws the plot. {@code source} is the name of the trace in the caption. */
    public static String svg(ChartData<?, ?> data, String source) {
        return new Plot(data, source).draw();
    }

    private String draw() {
        legend();
        for (int i = 0; i < data.panels().size(); i++) {
            new PlotPanel(svg, this, data.timeline(), data.panels().get(i)).draw(TOP + i * PANEL);
        }
        times(TOP + data.panels().size() * PANEL - PlotPanel.BELOW);
        return svg.end();
    }

    int left() {
        return LEFT;
    }

    int right() {
        return RIGHT;
    }

    long barWidth() {
        return barWidth;
    }

    /** The horizontal position of a time since the first request. */
    double x(long micros) {
        return LEFT + (double) (RIGHT - LEFT) * micros / span;
    }

    /** Vertical grid lines at the ticks of the time axis. */
    String verticals(int from, int to) {
        StringBuilder lines = new StringBuilder();
        for (long time : axis.ticks()) {
            lines.append('M')
                    .append(Svg.number(x(time)))
                    .append(' ')
                    .append(from)
                    .append('V')
                    .append(to);
        }
        return lines.toString();
    }

    private void legend() {
        svg.text(LEFT, 24, "font-size=\"13\"", caption());
        swatch(LEFT, PlotPanel.ADMITTED, "admitted");
        swatch(LEFT + 86, PlotPanel.DELAYED, "admitted later, when it leaves");
        swatch(LEFT + 304, PlotPanel.DENIED, "denied");
        svg.path("M" + (LEFT + 376) + " 42h18", PlotPanel.line(0));
        svg.text(LEFT + 400, 46, "", "remaining (right-hand scale)");
        svg.rect(LEFT + 590, 36, 12, 12, PlotPanel.WORST);
        svg.text(LEFT + 608, 46, "", "worst window of a key");
    }

    private void swatch(int x, String colour, String text) {
        svg.rect(x, 36, 12, 12, "fill=\"" + colour + "\"");
        svg.text(x + 18, 46, "", text);
    }

    private String caption() {
        int keys =
                data.panels().stream().mapToInt(ChartPanel::watchedKeys).max().orElse(0);
        boolean more = data.panels().stream().anyMatch(ChartPanel::hasUnwatchedKeys);
        String count = more ? "more than " + keys + " keys" : keys == 1 ? "1 key" : keys + " keys";
        return DisplayText.shortened(source, MOST_OF_NAME) + ": " + requests(data.requests()) + ", " + count;
    }

    static String requests(long count) {
        return String.format(Locale.ROOT, count == 1 ? "%,d request" : "%,d requests", count);
    }

    private void times(int y) {
        for (long time : axis.ticks()) {
            svg.text(x(time), y + 18, "text-anchor=\"middle\" " + SMALL, axis.text(time));
        }
        svg.text((LEFT + RIGHT) / 2.0, y + 36, "text-anchor=\"middle\" " + SMALL, axis.title());
        String keys = data.panels().stream()
                .flatMap(panel -> panel.busiest(1).stream())
                .findFirst()
                .map(this::remainingText)
                .orElse("");
        if (!keys.isEmpty()) {
            svg.text(LEFT, y + 58, SMALL, keys);
        }
    }

    /** With several panels of policies, each has keys of its own, which it names itself. */
    private String remainingText(WatchedKey first) {
        List<WatchedKey> busiest = data.panels().get(0).busiest(MOST_KEYS);
        if (!hasCommonKeys()) {
            return "remaining: of the keys with the most requests in each panel";
        }
        String names = busiest.stream()
                .map(key ->
                        "\"" + DisplayText.shortened(key.key(), MOST_OF_KEY) + "\" (" + requests(key.requests()) + ")")
                .collect(Collectors.joining(", "));
        return "remaining: of " + (busiest.size() == 1 ? "key " : "keys ") + names + ", the most of any key"
                + (data.panels().get(0).hasUnwatchedKeys() ? " among the first " + ChartPanel.MOST_KEYS : "");
    }

    /** Whether the lines of all panels are those of the same keys. */
    boolean hasCommonKeys() {
        List<String> first = keys(data.panels().get(0));
        return data.panels().stream().allMatch(panel -> keys(panel).equals(first));
    }

    private static List<String> keys(ChartPanel panel) {
        return panel.busiest(MOST_KEYS).stream().map(WatchedKey::key).toList();
    }

    private String description() {
        return "Requests over time, how many of them were admitted and denied, and what remained. Limits: "
                + data.panels().stream().map(ChartPanel::title).collect(Collectors.joining("; ")) + ".";
    }

    /** The height of the tallest bar in any panel, so that panels can be compared. */
    long tallest() {
        return data.panels().stream()
                .flatMapToLong(panel -> LongStream.of(PlotPanel.heights(panel, factor())))
                .max()
                .orElse(0);
    }

    /** The number of bins in a bar. */
    int factor() {
        return Math.toIntExact(barWidth / data.timeline().width());
    }

    static String duration(long micros) {
        return TimeScale.text(micros);
    }
}
