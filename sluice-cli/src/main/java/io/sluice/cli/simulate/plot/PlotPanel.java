package io.sluice.cli.simulate.plot;

import io.sluice.Algorithm;
import io.sluice.Limit;
import io.sluice.server.json.DisplayText;
import io.sluice.server.simulate.chart.BinRanges;
import io.sluice.server.simulate.chart.ChartPanel;
import io.sluice.server.simulate.chart.Timeline;
import io.sluice.server.simulate.chart.WatchedKey;
import io.sluice.server.simulate.chart.Worst;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Draws the panel of one limit or policy: stacked bars of requests that leave at once, that leave after a delay, and that are
 * denied; a line for the remaining permits of each of the busiest keys; and a frame around the worst window.
 */
final class PlotPanel {
    /** The space below the drawing of a panel. */
    static final int BELOW = 18;

    static final String ADMITTED = "#2b87c8";
    static final String DELAYED = "#8cc7ea";
    static final String DENIED = "#e8833a";
    static final String WORST = "fill=\"#7a3e9d\" fill-opacity=\"0.12\" stroke=\"#7a3e9d\" stroke-dasharray=\"3 2\"";
    private static final String TICK = "font-size=\"11\" fill=\"#555\"";
    private static final int ABOVE = 44;
    private static final int HEIGHT = 128;
    private static final int MOST_STEPS = 4;

    /** What fits into the width. */
    private static final int MOST_OF_TITLE = 96;

    /** The characters of a title that a key beside it takes. */
    private static final int TITLE_OF_KEY = 16;

    private static final int MOST_OF_KEY = 16;

    /** The width of a key, with its line, beside the title. */
    private static final int KEY_WIDTH = 136;

    /** Longer texts are written smaller. */
    private static final int MOST_OF_TOTALS = 120;

    /** The lines of the busiest keys: full, dashed, dotted. */
    private static final List<String> DASHES = List.of("", " stroke-dasharray=\"6 3\"", " stroke-dasharray=\"2 3\"");

    private final Svg svg;
    private final Plot plot;
    private final Timeline timeline;
    private final ChartPanel panel;
    private int top;
    private int bottom;

    PlotPanel(Svg svg, Plot plot, Timeline timeline, ChartPanel panel) {
        this.svg = svg;
        this.plot = plot;
        this.timeline = timeline;
        this.panel = panel;
    }

    static String line(int index) {
        return "stroke=\"#1a1a1a\" stroke-width=\"1.2\" fill=\"none\" stroke-linejoin=\"round\"" + DASHES.get(index);
    }

    void draw(int y) {
        top = y + ABOVE;
        bottom = top + HEIGHT;
        int named = !plot.hasCommonKeys() && drawsRemaining()
                ? panel.busiest(Plot.MOST_KEYS).size()
                : 0;
        String heading = DisplayText.shortened(title(), MOST_OF_TITLE - named * TITLE_OF_KEY);
        svg.text(plot.left(), y + 20, "font-size=\"14\" font-weight=\"600\" fill=\"#111\"", heading);
        if (named > 0) {
            keyNames(y + 20);
        }
        String totals = totals();
        svg.text(plot.left(), y + 36, totals.length() > MOST_OF_TOTALS ? "font-size=\"10\"" : "", totals);
        CountAxis requests = CountAxis.upTo(plot.tallest(), MOST_STEPS);
        svg.path(horizontals(requests) + plot.verticals(top, bottom), Plot.GRID);
        worst();
        int factor = plot.factor();
        long[] heights = heights(panel, factor);
        bars(heights, requests, DENIED);
        long[] admitted = sum(panel.onTime().sums(factor), panel.delayed().sums(factor));
        bars(admitted, requests, DELAYED);
        bars(panel.onTime().sums(factor), requests, ADMITTED);
        svg.path("M" + plot.left() + " " + bottom + "H" + plot.right(), "stroke=\"#555\" fill=\"none\"");
        axis(requests, plot.left() - 8, "end", plot.left() - 50, "requests / " + Plot.duration(plot.barWidth()));
        remaining();
    }

    /** The stacked height of each bar: what leaves in it, and what is denied in it. */
    static long[] heights(ChartPanel panel, int factor) {
        return sum(
                sum(panel.onTime().sums(factor), panel.delayed().sums(factor)),
                panel.denied().sums(factor));
    }

    private static long[] sum(long[] first, long[] second) {
        long[] sum = first.clone();
        for (int i = 0; i < sum.length; i++) {
            sum[i] += second[i];
        }
        return sum;
    }

    private String title() {
        Limit limit = panel.limit();
        return limit == null || limit.toString().equals(panel.title()) ? panel.title() : panel.title() + ": " + limit;
    }

    private void remaining() {
        Limit limit = panel.limit();
        List<WatchedKey> keys = panel.busiest(Plot.MOST_KEYS);
        if (limit != null && limit.algorithm() == Algorithm.UNLIMITED) {
            svg.text(plot.right() + 8, bottom + 4, TICK, "unlimited");
        } else if (drawsRemaining()) {
            CountAxis axis = CountAxis.upTo(most(limit, keys), MOST_STEPS);
            axis(axis, plot.right() + 8, "start", plot.right() + 58, "remaining");
            for (int i = 0; i < keys.size(); i++) {
                svg.path(line(keys.get(i).remaining(), axis), line(i));
            }
        }
    }

    private boolean drawsRemaining() {
        Limit limit = panel.limit();
        boolean unlimited = limit != null && limit.algorithm() == Algorithm.UNLIMITED;
        return !unlimited && !isAllOrNone(limit) && !panel.busiest(1).isEmpty();
    }

    /** The lines of the keys, at the right end of the line of the title. */
    private void keyNames(int y) {
        List<WatchedKey> keys = panel.busiest(Plot.MOST_KEYS);
        for (int i = 0; i < keys.size(); i++) {
            int x = plot.right() - (keys.size() - i) * KEY_WIDTH;
            svg.path("M" + x + " " + (y - 4) + "h18", line(i));
            svg.text(x + 24, y, TICK, DisplayText.shortened(keys.get(i).key(), MOST_OF_KEY));
        }
    }

    /** Whether the remaining permits are all or none, with every request: a line of them is a black area. */
    private static boolean isAllOrNone(@Nullable Limit limit) {
        return limit != null && limit.algorithm() == Algorithm.WARM_UP;
    }

    private void worst() {
        @Nullable Worst worst = panel.worst().orElse(null);
        if (worst != null) {
            double from = plot.x(worst.from() - timeline.start());
            double to =
                    plot.x(Math.max(worst.to(), worst.from() + worst.window().micros()) - timeline.start());
            double right = Math.min(plot.right(), Math.max(to, from + 2));
            svg.rect(from, top, right - from, bottom - top, WORST);
        }
    }

    private String totals() {
        long all = panel.arrivals().total();
        if (all == 0) {
            return "no requests";
        }
        long admitted = panel.admitted();
        long denied = panel.denied().total();
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%,d arrived · %,d admitted (%.1f%%) · %,d denied (%.1f%%)",
                all,
                admitted,
                100.0 * admitted / all,
                denied,
                100.0 * denied / all));
        if (all > admitted + denied) {
            text.append(String.format(Locale.ROOT, " · %,d denied by others", all - admitted - denied));
        }
        if (panel.longestDelay() > 0) {
            text.append(" · admitted ones wait up to ").append(Plot.duration(inThreeDigits(panel.longestDelay())));
        }
        panel.worst().ifPresent(worst -> text.append(worstText(worst)));
        return text.toString();
    }

    private static String worstText(Worst worst) {
        return String.format(
                Locale.ROOT,
                " · worst %s: %,d permits (rate: %,d)",
                Plot.duration(worst.window().micros()),
                worst.permits(),
                worst.window().permits());
    }

    /** Rounds up to three digits, so that "up to" stays true. */
    private static long inThreeDigits(long value) {
        long unit = 1;
        while (value / unit >= 1000) {
            unit *= 10;
        }
        return (value + unit - 1) / unit * unit;
    }

    private double y(long value, CountAxis axis) {
        return bottom - (double) HEIGHT * value / axis.top();
    }

    private String horizontals(CountAxis axis) {
        StringBuilder lines = new StringBuilder();
        axis.ticks()
                .forEach(tick -> lines.append('M')
                        .append(plot.left())
                        .append(' ')
                        .append(Svg.number(y(tick, axis)))
                        .append('H')
                        .append(plot.right()));
        return lines.toString();
    }

    private void axis(CountAxis axis, int x, String anchor, int titleX, String title) {
        axis.ticks()
                .forEach(tick ->
                        svg.text(x, y(tick, axis) + 4, "text-anchor=\"" + anchor + "\" " + TICK, CountAxis.text(tick)));
        double middle = (top + bottom) / 2.0;
        String turned = "transform=\"rotate(-90 " + titleX + " " + Svg.number(middle) + ")\"";
        svg.text(titleX, middle, "text-anchor=\"middle\" " + turned + " " + TICK, title);
    }

    private void bars(long[] sums, CountAxis axis, String colour) {
        StringBuilder bars = new StringBuilder();
        for (int i = 0; i < sums.length; i++) {
            if (sums[i] > 0) {
                double from = plot.x(i * plot.barWidth());
                double to = plot.x((i + 1) * plot.barWidth());
                double gap = Math.min(2, (to - from) * 0.15);
                bars.append('M').append(Svg.number(from + gap / 2)).append(' ').append(bottom);
                bars.append('V').append(Svg.number(y(sums[i], axis)));
                bars.append('H')
                        .append(Svg.number(to - gap / 2))
                        .append('V')
                        .append(bottom)
                        .append('z');
            }
        }
        svg.path(bars, "fill=\"" + colour + "\"");
    }

    private long most(@Nullable Limit limit, List<WatchedKey> keys) {
        long most = limit == null || limit.algorithm() == Algorithm.BLOCKED ? 1 : limit.capacity();
        for (WatchedKey key : keys) {
            for (int bin = 0; bin < timeline.bins(); bin++) {
                boolean known = !key.remaining().isEmpty(bin) && key.remaining().most(bin) < Long.MAX_VALUE;
                most = known ? Math.max(most, key.remaining().most(bin)) : most;
            }
        }
        return most;
    }

    /** A step line. In each bin it covers the range of the values, then stays level until the next bin with a value. */
    private String line(BinRanges remaining, CountAxis axis) {
        StringBuilder line = new StringBuilder();
        for (int bin = 0; bin < timeline.bins(); bin++) {
            if (remaining.isEmpty(bin) || remaining.most(bin) == Long.MAX_VALUE) {
                continue;
            }
            String x = Svg.number(plot.x(bin * timeline.width()));
            String first = Svg.number(y(remaining.most(bin), axis));
            line.append(line.isEmpty() ? "M" + x + " " : "H" + x + "V").append(first);
            if (remaining.least(bin) != remaining.most(bin)) {
                line.append('V').append(Svg.number(y(remaining.least(bin), axis)));
            }
            if (remaining.last(bin) != remaining.least(bin)) {
                line.append('V').append(Svg.number(y(remaining.last(bin), axis)));
            }
        }
        if (line.isEmpty()) {
            return "";
        }
        return line.append('H')
                .append(Svg.number(plot.x(timeline.bins() * timeline.width())))
                .toString();
    }
}
