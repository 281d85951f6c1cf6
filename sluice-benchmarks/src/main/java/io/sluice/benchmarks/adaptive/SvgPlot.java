package io.sluice.benchmarks.adaptive;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;

/** A few panels of lines over the same seconds, as SVG. */
final class SvgPlot {
    private static final int WIDTH = 860;
    private static final int PANEL = 170;
    private static final int LEFT = 70;
    private static final int RIGHT = 20;
    private static final int GAP = 44;
    private static final List<String> COLORS =
            List.of("#0b6e99", "#d9480f", "#2b8a3e", "#862e9c", "#868e96", "#e67700");

    private final int seconds;
    private final StringBuilder svg = new StringBuilder();
    private int panels;

    SvgPlot(int seconds) {
        this.seconds = seconds;
    }

    /** A line of a panel. */
    record Line(String name, IntToDoubleFunction valueAt) {}

    /** Adds a panel whose vertical axis begins at 0 and ends at {@code most}; larger values are cut off. */
    SvgPlot panel(String title, double most, List<Line> lines) {
        int top = 30 + panels++ * (PANEL + GAP);
        text(LEFT, top - 8, "start", "#212529", title);
        for (int i = 0; i <= 4; i++) {
            double y = top + PANEL - i * PANEL / 4.0;
            svg.append(format("<path d=\"M%d %.1fH%d\" stroke=\"#dee2e6\"/>%n", LEFT, y, WIDTH - RIGHT));
            text(LEFT - 6, y + 4, "end", "#495057", number(most * i / 4));
        }
        for (int second = 0; second <= seconds; second += 10) {
            text(x(second), top + PANEL + 15, "middle", "#495057", second + " s");
        }
        List<String> names = new ArrayList<>();
        for (Line line : lines) {
            String color = COLORS.get(names.size() % COLORS.size());
            StringBuilder path = new StringBuilder();
            for (int second = 0; second < seconds; second++) {
                double value = Math.min(most, Math.max(0, line.valueAt.applyAsDouble(second)));
                path.append(
                        format("%s%.1f %.1f", second == 0 ? "M" : "L", x(second), top + PANEL * (1 - value / most)));
            }
            svg.append(format(
                    "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\" stroke-linejoin=\"round\"/>%n",
                    path, color));
            text(WIDTH - RIGHT - 130.0 * (lines.size() - names.size()) + 130, top - 8, "end", color, line.name);
            names.add(line.name);
        }
        return this;
    }

    private double x(double second) {
        return LEFT + second * (WIDTH - LEFT - RIGHT) / seconds;
    }

    private void text(double x, double y, String anchor, String color, String text) {
        svg.append(format(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n", x, y, anchor, color, text));
    }

    private static String number(double value) {
        return value >= 10 || value == Math.rint(value) ? format("%.0f", value) : format("%.2f", value);
    }

    private static String format(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }

    @Override
    public String toString() {
        int height = 20 + panels * (PANEL + GAP);
        return format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
                        + "font-family=\"system-ui, sans-serif\" font-size=\"12\">%n"
                        + "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>%n%s</svg>%n",
                WIDTH, height, WIDTH, height, svg);
    }
}
