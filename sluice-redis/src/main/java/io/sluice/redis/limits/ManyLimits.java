package io.sluice.redis.limits;

import io.sluice.TimeSource;
import io.sluice.spi.LimiterSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/*
 * When policies are published, all processes put the same limits in force at the same moment. One of them writes, the others
 * wait for that. Nobody reads what it can know: if this process has agreed on all limits and Redis has counted no change
 * since, it knows the newest versions. If Redis has counted one change, and that is the change which this process would have
 * made, it needs only the time of the change. So a process reads limits only if something else has happened.
 */
/** Puts more limits in force than fit in one call, at one moment. */
final class ManyLimits {
    private static final int MOST_TRIES = 100;

    /** The pause between two looks at limits that another process writes. */
    private static final long TURN_MICROS = 20_000;

    private final ConfigFields fields;
    private final LimitAdoption adoption;
    private final StoreLimiters all;
    private final AgreedCount agreedCount;
    private final Executor worker;
    private final boolean realTime;

    /**
     * @param all the limiters of the store
     * @param worker runs long tasks
     */
    ManyLimits(
            ConfigFields fields,
            LimitAdoption adoption,
            StoreLimiters all,
            AgreedCount agreedCount,
            Executor worker,
            boolean realTime) {
        this.fields = fields;
        this.adoption = adoption;
        this.all = all;
        this.agreedCount = agreedCount;
        this.worker = worker;
        this.realTime = realTime;
    }

    /** Puts limits in force. Returns false if other processes change limits all the time. */
    CompletableFuture<Boolean> enforce(List<AgreedLimits> limiters, List<LimiterSpec> specs) {
        return enforceKnown(limiters, specs, MOST_TRIES);
    }

    private CompletableFuture<Boolean> enforceKnown(List<AgreedLimits> limiters, List<LimiterSpec> specs, int tries) {
        String agreed = agreedCount.get();
        if (agreed.isEmpty() || !limiters.stream().allMatch(AgreedLimits::isAgreed)) {
            return enforceRead(limiters, specs, tries);
        }
        return fields.changes()
                .thenComposeAsync(
                        changes -> {
                            Plan plan = Plan.of(limiters, specs, lastLines(limiters));
                            if (changes.count().equals(agreed)) {
                                return carryOut(plan, agreed, tries);
                            }
                            return changes.timeOf(agreed, plan::digest)
                                    .map(micros -> adoptOfOthers(plan, micros, agreed, changes.count()))
                                    .orElseGet(() -> enforceRead(limiters, specs, tries));
                        },
                        worker);
    }

    private static List<String> lastLines(List<AgreedLimits> limiters) {
        return limiters.stream()
                .map(limiter -> HistoryText.last(limiter.versions()))
                .toList();
    }

    private CompletableFuture<Boolean> enforceRead(List<AgreedLimits> limiters, List<LimiterSpec> specs, int tries) {
        return fields.read(limiters)
                .thenComposeAsync(
                        found -> carryOut(Plan.of(limiters, specs, found.texts()), found.count(), tries), worker);
    }

    /** @param count the number of changes of limits for which the plan was made */
    private CompletableFuture<Boolean> carryOut(Plan plan, String count, int tries) {
        if (plan.changes.isEmpty()) {
            if (Set.copyOf(plan.limiters).containsAll(all.all())) {
                agreedCount.set(count);
            }
            adoption.adopt(plan.limits(""));
            return CompletableFuture.completedFuture(true);
        }
        return fields.takeTurn()
                .thenComposeAsync(turn -> turn ? write(plan, count, tries) : afterOthers(plan, count, tries), worker);
    }

    private CompletableFuture<Boolean> write(Plan plan, String count, int tries) {
        return fields.write(count, plan.changes)
                .thenComposeAsync(
                        written -> {
                            if (written.isPresent()) {
                                return adoptWritten(plan, count, written.get());
                            }
                            return tries == 0
                                    ? CompletableFuture.completedFuture(false)
                                    : enforceRead(plan.limiters, plan.specs, tries - 1);
                        },
                        worker);
    }

    /** Waits until the process whose turn it is has written. */
    private CompletableFuture<Boolean> afterOthers(Plan plan, String count, int tries) {
        CompletableFuture<@Nullable Void> soon = new CompletableFuture<>();
        TimeSource.system().schedule(TURN_MICROS, () -> soon.complete(null));
        return soon.thenCompose(unused -> fields.changes())
                .thenComposeAsync(
                        changes -> changes.count().equals(count)
                                ? carryOut(plan, count, tries)
                                : enforceKnown(plan.limiters, plan.specs, tries),
                        worker);
    }

    private CompletableFuture<Boolean> adoptOfOthers(Plan plan, String micros, String before, String count) {
        adoption.adopt(plan.limits(micros));
        agreedCount.replace(before, count);
        return CompletableFuture.completedFuture(true);
    }

    private CompletableFuture<Boolean> adoptWritten(Plan plan, String before, ConfigFields.Written written) {
        Map<AgreedLimits, VersionedLimits> limits = plan.limits(written.micros());
        // If no other process has changed anything, this process knows all: it knows its own change.
        agreedCount.replace(before, written.count());
        if (realTime && all.processes() > 1) {
            return adoption.adoptSoon(limits).thenApply(unused -> true);
        }
        adoption.adopt(limits);
        return CompletableFuture.completedFuture(true);
    }

    /**
     * What has to change.
     *
     * @param texts the newest lines of each limiter after the change; an @ stands for its time
     * @param changes by limiter
     */
    private record Plan(
            List<AgreedLimits> limiters,
            List<LimiterSpec> specs,
            List<String> texts,
            Map<String, HistoryText.Change> changes) {

        /** @param newest the newest lines of each limiter */
        static Plan of(List<AgreedLimits> limiters, List<LimiterSpec> specs, List<String> newest) {
            List<String> texts = new ArrayList<>(specs.size());
            Map<String, HistoryText.Change> changes = new LinkedHashMap<>();
            for (int i = 0; i < specs.size(); i++) {
                LimiterSpec spec = specs.get(i);
                AgreedLimits limiter = limiters.get(i);
                HistoryText.Change change = HistoryText.enforced(
                        newest.get(i),
                        limiter.isAgreed() ? limiter.versions() : null,
                        spec.options().revision(),
                        spec.limit().toString());
                if (change == null) {
                    texts.add(newest.get(i));
                } else {
                    texts.add(change.applied(newest.get(i)));
                    changes.put(spec.name(), change);
                }
            }
            return new Plan(limiters, specs, texts, changes);
        }

        String digest() {
            return ConfigFields.digest(changes);
        }

        /** The limits of all limiters after the change, which was made at this time. */
        Map<AgreedLimits, VersionedLimits> limits(String micros) {
            return HistoryText.versions(
                    limiters,
                    texts.stream().map(text -> HistoryText.since(text, micros)).toList());
        }
    }
}
