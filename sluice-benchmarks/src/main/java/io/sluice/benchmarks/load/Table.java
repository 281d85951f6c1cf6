package io.sluice.benchmarks.load;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Prints the results of load tests. */
public final class Table {
    private Table() {}

    /** Prints all results as a table for people. */
    public static void printMatrix(List<CaseResult> rows, PrintStream out) {
        Set<String> everybody = new LinkedHashSet<>();
        rows.forEach(row -> all(row).forEach(figure -> everybody.add(figure.who())));
        out.println();
        out.printf("%-20s", "per s (p99 us)");
        everybody.forEach(who -> out.printf(" %20s", who));
        out.println();
        for (CaseResult row : rows) {
            out.printf("%-20s", row.name());
            for (String who : everybody) {
                out.printf(" %20s", cell(row, who));
            }
            out.println();
        }
        out.println();
    }

    private static List<Measurement> all(CaseResult row) {
        List<Measurement> all = new ArrayList<>(row.peers());
        all.add(0, row.sluice());
        return all;
    }

    private static String cell(CaseResult row, String who) {
        return all(row).stream()
                .filter(figure -> figure.who().equals(who))
                .map(figure -> text("%,.0f", figure.rate()) + text(" (%,.0f)", figure.p99Micros()))
                .findFirst()
                .orElse("");
    }

    static String text(Sample sample) {
        return text("%,.0f/s", sample.perSecond()) + text(", p99 %,.0f us", sample.p99Micros());
    }

    /** Prints the results as CSV, one line for each peer. */
    public static void printCsv(List<CaseResult> rows, PrintStream out) {
        out.println("case,sluice_per_s,p99_us,peer,peer_per_s,ratio");
        for (CaseResult row : rows) {
            for (Measurement peer : row.peers()) {
                out.println(String.join(
                        ",",
                        row.name(),
                        text("%.0f", row.sluice().rate()),
                        text("%.1f", row.sluice().p99Micros()),
                        peer.who(),
                        text("%.0f", peer.rate()),
                        text("%.2f", row.ratio(peer))));
            }
        }
    }

    private static String text(String format, @Nullable Double number) {
        return number == null || number.isNaN() ? "" : String.format(Locale.ROOT, format, number);
    }
}
