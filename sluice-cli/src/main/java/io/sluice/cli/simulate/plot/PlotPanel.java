package io.sluice.cli.simulate.plot;

import io.sluice.Algorithm;
import io.sluice.Limit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Draws the panel of one limit: bars for allowed and denied requests, and a line for the remaining permits. */
final class PlotPanel {
    /** The space below the drawing of a panel. */
    static final int BELOW = 18;

    static final String ADMITTED = "#2b87c8";
    static final String DENIED = "#f3b48a";
    static final String LINE = "stroke=\"#1a1a1a\" stroke-width=\"1.2\" fill=\"none\" stroke-linejoin=\"round\"";
    private static final String TICK = "font-size=\"11\" fill=\"#555\"";
    private static final int ABOVE = 44;
    private static final int HEIGHT = 128;
    private static final int MOST_STEPS = 4;

    private final Svg svg;
    private final Plot plot;
    private final PlotData data;
    private final int index;
    private int top;
    private int bottom;

    PlotPanel(Svg svg, Plot plot, PlotData data, int index) {
        this.svg = svg;
        this.plot = plot;
        this.data = data;
        this.index = index;
    }

    void draw(int y) {
        top = y + ABOVE;
        bottom = top + HEIGHT;
        Limit limit = data.limits().get(index);
        svg.text(plot.left(), y + 20, "font-size=\"14\" font-weight=\"600\" fill=\"#111\"", limit.toString());
        svg.text(plot.left(), y + 36, "", totals());
        CountAxis requests = CountAxis.upTo(plot.tallest(), MOST_STEPS);
        svg.path(horizontals(requests) + plot.verticals(top, bottom), Plot.GRID);
        bars(data.arrivals(), requests, DENIED);
        bars(data.admissions(index), requests, ADMITTED);
        svg.path("M" + plot.left() + " " + bottom + "H" + plot.right(), "stroke=\"#555\" fill=\"none\"");
        axis(requests, plot.left() - 8, "end", plot.left() - 50, "requests / " + TimeScale.text(plot.barWidth()));
        @Nullable
        BinRanges remaining =
                data.busiest().map(busiest -> busiest.remaining().get(index)).orElse(null);
        if (limit.algorithm() == Algorithm.UNLIMITED) {
            svg.text(plot.right() + 8, bottom + 4, TICK, "unlimited");
        } else if (remaining != null) {
            CountAxis axis = CountAxis.upTo(most(limit, remaining), MOST_STEPS);
            axis(axis, plot.right() + 8, "start", plot.right() + 58, "remaining");
            svg.path(line(remaining, axis), LINE);
        }
    }

    private String totals() {
        long all = data.arrivals().total();
        long admitted = data.admissions(index).total();
        if (all == 0) {
            return "no requests";
        }
        String counts = String.format(
                Locale.ROOT,
                "%,d arrived · %,d admitted (%.1f%%) · %,d denied (%.1f%%)",
                all,
                admitted,
                100.0 * admitted / all,
                all - admitted,
                100.0 * (all - admitted) / all);
        long delay = data.longestDelay(index);
        return delay == 0 ? counts : counts + " · admitted ones wait up to " + TimeScale.text(inThreeDigits(delay));
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

    private void bars(BinCounts counts, CountAxis axis, String colour) {
        StringBuilder bars = new StringBuilder();
        long[] sums = counts.sums(plot.factor());
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

    private long most(Limit limit, BinRanges remaining) {
        long most = limit.algorithm() == Algorithm.BLOCKED ? 1 : limit.capacity();
        for (int bin = 0; bin < data.timeline().bins(); bin++) {
            most = remaining.isEmpty(bin) ? most : Math.max(most, remaining.most(bin));
        }
        return most;
    }

    /** A step line. In each bin it covers the range of the values, then stays level until the next bin with a value. */
    private String line(BinRanges remaining, CountAxis axis) {
        StringBuilder line = new StringBuilder();
        Timeline timeline = data.timeline();
        for (int bin = 0; bin < timeline.bins(); bin++) {
            if (remaining.isEmpty(bin)) {
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
        return line.append('H')
                .append(Svg.number(plot.x(timeline.bins() * timeline.width())))
                .toString();
    }
}
