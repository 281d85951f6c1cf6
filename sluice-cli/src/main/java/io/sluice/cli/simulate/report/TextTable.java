package io.sluice.cli.simulate.report;

import io.sluice.server.json.DisplayText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A text table with a column of names and two columns of numbers. */
final class TextTable {
    private static final int LONGEST_NAME = 60;
    private static final String GAP = "   ";

    private final List<List<String>> rows = new ArrayList<>();

    TextTable(String title, String first, String second) {
        rows.add(List.of(title, first, second));
    }

    void row(String name, long first, long second) {
        rows.add(List.of(
                DisplayText.shortened(DisplayText.onOneLine(name), LONGEST_NAME), number(first), number(second)));
    }

    void row(String name, ChangeCount change) {
        row(name, change.newlyDenied(), change.newlyAllowed());
    }

    static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** All lines, each with a line feed. */
    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        for (List<String> row : rows) {
            out.append(row.get(0)).append(spaces(0, row));
            out.append(GAP).append(spaces(1, row)).append(row.get(1));
            out.append(GAP).append(spaces(2, row)).append(row.get(2)).append('\n');
        }
        return out.toString();
    }

    /** The spaces that fill a cell to the width of its column. */
    private String spaces(int column, List<String> row) {
        int widest =
                rows.stream().mapToInt(each -> width(each.get(column))).max().orElse(0);
        return " ".repeat(widest - width(row.get(column)));
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }
}
