package io.sluice.cli.simulate.plot;

import io.sluice.Limit;
import io.sluice.server.json.DisplayText;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Draws {@link PlotData} as a self-contained SVG: one panel for each limit above a common time axis. */
public final class Plot {
    private static final int WIDTH = 960;
    private static final int LEFT = 72;
    private static final int RIGHT = WIDTH - 72;
    private static final int TOP = 58;
    private static final int PANEL = 190;
    private static final int BOTTOM = 66;
    private static final int MOST_BARS = 120;
    private static final int LEAST_BARS = 10;
    private static final int MOST_TIMES = 10;
    private static final int MOST_OF_NAME = 40;
    private static final int MOST_OF_KEY = 30;

    static final String GRID = "stroke=\"#ddd\" fill=\"none\"";
    private static final String SMALL = "font-size=\"11\" fill=\"#555\"";

    private final PlotData data;
    private final String source;
    private final long barWidth;
    private final long span;
    private final Svg svg;

    private Plot(PlotData data, String source) {
        this.data = data;
        this.source = source.substring(source.lastIndexOf('/') + 1);
        Timeline timeline = data.timeline();
        this.barWidth = timeline.barWidth(MOST_BARS);
        long bars = (timeline.bins() * timeline.width() + barWidth - 1) / barWidth;
        this.span = Math.max(bars, LEAST_BARS) * barWidth;
        this.svg = new Svg(WIDTH, TOP + data.limits().size() * PANEL + BOTTOM, "Sluice: " + this.source, description());
    }

    /** Draws the plot. {@code source} is the name of the trace in the caption. */
    public static String svg(PlotData data, String source) {
        return new Plot(data, source).draw();
    }

    private String draw() {
        legend();
        for (int i = 0; i < data.limits().size(); i++) {
            new PlotPanel(svg, this, data, i).draw(TOP + i * PANEL);
        }
        times(TOP + data.limits().size() * PANEL - PlotPanel.BELOW);
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
        for (long time = 0; time <= span; time += step()) {
            lines.append('M')
                    .append(Svg.number(x(time)))
                    .append(' ')
                    .append(from)
                    .append('V')
                    .append(to);
        }
        return lines.toString();
    }

    private long step() {
        return TimeScale.step(span, MOST_TIMES);
    }

    private void legend() {
        svg.text(LEFT, 24, "font-size=\"13\"", caption());
        svg.rect(LEFT, 36, 12, 12, "fill=\"" + PlotPanel.ADMITTED + "\"");
        svg.text(LEFT + 18, 46, "", "admitted");
        svg.rect(LEFT + 86, 36, 12, 12, "fill=\"" + PlotPanel.DENIED + "\"");
        svg.text(LEFT + 104, 46, "", "denied");
        svg.path("M" + (LEFT + 160) + " 42h18", PlotPanel.LINE);
        svg.text(LEFT + 184, 46, "", "remaining (one key, right-hand scale)");
    }

    private String caption() {
        int keys = data.watchedKeys();
        String count = data.hasUnwatchedKeys() ? "more than " + keys + " keys" : keys == 1 ? "1 key" : keys + " keys";
        return DisplayText.shortened(source, MOST_OF_NAME) + ": "
                + requests(data.arrivals().total()) + ", " + count;
    }

    private static String requests(long count) {
        return String.format(Locale.ROOT, count == 1 ? "%,d request" : "%,d requests", count);
    }

    private void times(int y) {
        for (long time = 0; time <= span; time += step()) {
            svg.text(x(time), y + 18, "text-anchor=\"middle\" " + SMALL, TimeScale.text(time));
        }
        svg.text((LEFT + RIGHT) / 2.0, y + 36, "text-anchor=\"middle\" " + SMALL, "time since the first request");
        data.busiest()
                .ifPresent(busiest -> svg.text(
                        LEFT,
                        y + 58,
                        SMALL,
                        "remaining: as told to key \"" + DisplayText.shortened(busiest.key(), MOST_OF_KEY)
                                + "\" at each of its "
                                + requests(busiest.rows().total()) + ", the most of any key"
                                + (data.hasUnwatchedKeys() ? " among the first " + PlotData.MOST_KEYS : "")));
    }

    private String description() {
        return "Requests over time, how many of them each limit admitted and denied, and what remained. Limits: "
                + data.limits().stream().map(Limit::toString).collect(Collectors.joining("; ")) + ".";
    }

    /** The height of the tallest bar. It is the same for every limit, because all decide the same requests. */
    long tallest() {
        return Arrays.stream(data.arrivals().sums(factor())).max().orElse(0);
    }

    /** The number of bins in a bar. */
    int factor() {
        return Math.toIntExact(barWidth / data.timeline().width());
    }
}
