package io.sluice.benchmarks.redis;

import io.sluice.benchmarks.Verdicts;
import io.sluice.benchmarks.load.Figure;
import io.sluice.benchmarks.load.Row;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What we want to reach, where client and Redis share two cores, and whether we do. */
final class Targets {
    private final List<Row> rows;
    private final Verdicts verdicts;

    private Targets(List<Row> rows, PrintStream out) {
        this.rows = rows;
        this.verdicts = new Verdicts(out);
    }

    /** @param deniedShare how much of denied traffic came to Redis; null if that was not measured */
    static void print(List<Row> rows, @Nullable Double deniedShare, PrintStream out) {
        Targets targets = new Targets(rows, out);
        targets.manyKeys();
        targets.timesPeer(LineUp.HOT_KEY, "Redisson", 6);
        targets.timesPeer(LineUp.HOT_KEY, "Bucket4j", 50);
        targets.timesPeer(LineUp.HOT_KEY, "PING", 1.3);
        targets.timesPeer(LineUp.HOT_KEY_ASYNC, "PING", 8);
        targets.denied(deniedShare);
        targets.keyBytes();
        out.println();
    }

    private void manyKeys() {
        Row row = row(LineUp.MANY_KEYS);
        if (row == null) {
            return;
        }
        List<Figure> peers = Stream.of(row.peer("Redisson"), row.peer("Bucket4j"))
                .filter(Objects::nonNull)
                .toList();
        Double faster = peers.stream()
                .map(row::ratio)
                .filter(Objects::nonNull)
                .min(Double::compare)
                .orElse(null);
        verdicts.atLeast(row.name() + " >= 2.2 x the faster of Redisson and Bucket4j", 2.2, faster);
        Double p99 = peers.stream()
                .map(Figure::p99Micros)
                .filter(Objects::nonNull)
                .min(Double::compare)
                .orElse(null);
        if (p99 != null) {
            verdicts.atMost(
                    String.format(Locale.ROOT, "%s p99 us <= the better of theirs, %.0f", row.name(), p99),
                    p99,
                    row.sluice().p99Micros());
        }
    }

    private void timesPeer(String name, String who, double least) {
        Row row = row(name);
        if (row != null) {
            verdicts.atLeast(name + " >= " + least + " x " + who, least, row.ratio(row.peer(who)));
        }
    }

    private void denied(@Nullable Double share) {
        Row row = row(LineUp.DENIED);
        if (row != null) {
            verdicts.atLeast(
                    row.name() + " >= 10000000/s", 10_000_000, row.sluice().rate());
            verdicts.atMost(row.name() + ": under 1 % come to Redis", 1, share == null ? null : 100 * share);
        }
    }

    private void keyBytes() {
        Row row = row(Cases.KEY_BYTES);
        if (row != null) {
            verdicts.atMost(row.name() + " <= 160", 160, row.sluice().rate());
        }
    }

    private @Nullable Row row(String name) {
        return rows.stream().filter(row -> row.name().equals(name)).findFirst().orElse(null);
    }
}
