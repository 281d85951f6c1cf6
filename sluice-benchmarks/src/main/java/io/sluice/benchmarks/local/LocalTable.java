package io.sluice.benchmarks.local;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Prints the results of local benchmarks. */
final class LocalTable {
    private LocalTable() {}

    /** Prints all results as a table for people. */
    static void printMatrix(List<LocalResult> rows, PrintStream out) {
        Set<String> libraries = new LinkedHashSet<>();
        rows.forEach(row -> all(row).forEach(figure -> libraries.add(figure.who())));
        out.println();
        out.printf("%-26s", "ns (bytes)");
        libraries.forEach(library -> out.printf(" %18s", library));
        out.println();
        for (LocalResult row : rows) {
            out.printf("%-26s", row.name());
            for (String library : libraries) {
                out.printf(" %18s", cell(row, library));
            }
            out.println();
        }
        out.println();
    }

    private static List<LocalMeasurement> all(LocalResult row) {
        List<LocalMeasurement> all = new ArrayList<>();
        all.add(row.sluice());
        all.addAll(row.peers());
        return all;
    }

    private static String cell(LocalResult row, String library) {
        return all(row).stream()
                .filter(figure -> figure.who().equals(library))
                .map(figure -> text("%.1f", figure.ns()) + text(" (%.0f)", figure.bytes()))
                .findFirst()
                .orElse("");
    }

    static void printCsv(List<LocalResult> rows, PrintStream out) {
        out.println("case,sluice_ns,best_peer,best_peer_ns,ratio,sluice_alloc_bytes");
        for (LocalResult row : rows) {
            LocalMeasurement peer = row.fastestPeer();
            out.println(String.join(
                    ",",
                    row.name(),
                    text("%.1f", row.sluice().ns()),
                    peer == null ? "" : peer.who(),
                    peer == null ? "" : text("%.1f", peer.ns()),
                    text("%.2f", row.ratio()),
                    text("%.0f", row.sluice().bytes())));
        }
    }

    static String text(String format, @Nullable Double number) {
        return number == null ? "" : String.format(Locale.ROOT, format, number);
    }
}
