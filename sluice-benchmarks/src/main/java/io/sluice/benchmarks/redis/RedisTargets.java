package io.sluice.benchmarks.redis;

import io.sluice.benchmarks.common.TargetReport;
import io.sluice.benchmarks.load.CaseResult;
import io.sluice.benchmarks.load.Measurement;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Prints the targets of the Redis benchmarks, for a client and a Redis on two cores, and whether they are met. */
final class RedisTargets {
    private final List<CaseResult> rows;
    private final TargetReport report;

    private RedisTargets(List<CaseResult> rows, PrintStream out) {
        this.rows = rows;
        this.report = new TargetReport(out);
    }

    /** Prints the targets. {@code deniedShare} is the share of denied calls that reached Redis; null if not measured. */
    static void print(List<CaseResult> rows, @Nullable Double deniedShare, PrintStream out) {
        RedisTargets targets = new RedisTargets(rows, out);
        targets.manyKeys();
        targets.timesPeer(RedisContestants.HOT_KEY, "Redisson", 6);
        targets.timesPeer(RedisContestants.HOT_KEY, "Bucket4j", 50);
        targets.timesPeer(RedisContestants.HOT_KEY, "PING", 1.3);
        targets.timesPeer(RedisContestants.HOT_KEY_ASYNC, "PING", 8);
        targets.timesPeer(RedisContestants.CALENDAR, RedisContestants.LEAKY_BUCKET, 0.7);
        targets.timesPeer(RedisContestants.WARM_UP, RedisContestants.LEAKY_BUCKET, 0.7);
        // At most 1.5 times as long.
        targets.timesPeer(RedisContestants.ENTER_HOT_KEY, RedisContestants.TWO_CHECKS, 0.667);
        targets.timesPeer(RedisContestants.ENTER_MANY_KEYS, RedisContestants.TWO_CHECKS, 0.667);
        targets.denied(deniedShare);
        targets.keyBytes();
        out.println();
    }

    private void manyKeys() {
        CaseResult row = row(RedisContestants.MANY_KEYS);
        if (row == null) {
            return;
        }
        List<Measurement> peers = Stream.of(row.peer("Redisson"), row.peer("Bucket4j"))
                .filter(Objects::nonNull)
                .toList();
        Double faster = peers.stream()
                .map(row::ratio)
                .filter(Objects::nonNull)
                .min(Double::compare)
                .orElse(null);
        report.atLeast(row.name() + " >= 2.2 x the faster of Redisson and Bucket4j", 2.2, faster);
        Double p99 = peers.stream()
                .map(Measurement::p99Micros)
                .filter(Objects::nonNull)
                .min(Double::compare)
                .orElse(null);
        if (p99 != null) {
            report.atMost(
                    String.format(Locale.ROOT, "%s p99 us <= the better of theirs, %.0f", row.name(), p99),
                    p99,
                    row.sluice().p99Micros());
        }
    }

    private void timesPeer(String name, String who, double least) {
        CaseResult row = row(name);
        if (row != null) {
            report.atLeast(name + " >= " + least + " x " + who, least, row.ratio(row.peer(who)));
        }
    }

    private void denied(@Nullable Double share) {
        CaseResult row = row(RedisContestants.DENIED);
        if (row != null) {
            report.atLeast(
                    row.name() + " >= 10000000/s", 10_000_000, row.sluice().rate());
            report.atMost(row.name() + ": under 1 % reach Redis", 1, share == null ? null : 100 * share);
        }
    }

    private void keyBytes() {
        CaseResult row = row(RedisCases.KEY_BYTES);
        if (row != null) {
            report.atMost(row.name() + " <= 160", 160, row.sluice().rate());
        }
    }

    private @Nullable CaseResult row(String name) {
        return rows.stream().filter(row -> row.name().equals(name)).findFirst().orElse(null);
    }
}
