package io.sluice.redis.limits;

import static io.sluice.redis.limits.ConfigFields.bytes;

import io.sluice.Limit;
import io.sluice.TimeSource;
import io.sluice.redis.connect.Connection;
import io.sluice.redis.connect.Workers;
import io.sluice.redis.script.KeyNames;
import io.sluice.spi.LimiterSpec;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/*
 * For every limiter, Redis stores the limits in force and their earlier versions (see HistoryText). A change replaces the
 * whole text, if the text is still the one that was read. So of two concurrent changes, one fails and is tried again. A
 * process that configures other limits follows those in force, unless it has a higher revision: restarting a process never
 * brings old limits back.
 *
 * Redis may lose limits: it was flushed, or a replica that lagged behind became the master. Then every process that still
 * knows the limits writes them again.
 */
/** Agrees with Redis, and so with all other processes, on the limits in force. */
public final class Config {
    private static final System.Logger LOG = System.getLogger("io.sluice.redis");
    private static final int MOST_TRIES = 100;

    private static final long LONGEST_ENFORCEMENT_SECONDS = 5;

    /** The maximum wait for an enforcement that is under way. */
    private static final long UNDER_WAY_MICROS = 40_000;

    private final StoreLimiters limiters;
    private final LimitLog log;
    private final Enforcement enforcement;
    private final ConfigFields fields;
    private final LimitAdoption adoption;
    private final ManyLimits manyLimits;

    /** Parses texts: thousands of them would block the thread that talks to Redis. */
    private final Executor worker;

    /** The enforcement of many limits that is under way. */
    private volatile CompletableFuture<?> enforcing = CompletableFuture.completedFuture(null);

    private final AgreedCount agreedCount = new AgreedCount();

    /**
     * The configuration of one store.
     *
     * @param virtualTime the time of tests and simulations; null for the clock of Redis
     * @param deadlineNanos the least time for which a caller waits until its limits are in force
     */
    public Config(
            Connection connection,
            KeyNames names,
            @Nullable TimeSource virtualTime,
            long deadlineNanos,
            StoreLimiters limiters,
            LimitLog log) {
        this.limiters = limiters;
        this.log = log;
        this.worker = Workers.single("sluice-redis-config");
        this.fields = new ConfigFields(connection, names, virtualTime, worker);
        this.adoption = new LimitAdoption(worker);
        this.manyLimits = new ManyLimits(fields, adoption, limiters, agreedCount, worker, virtualTime == null);
        this.enforcement = new Enforcement(this, connection, deadlineNanos, limiters::find);
    }

    /** Replaces limits in this process, and reads them as of one moment. */
    public LimitAdoption adoption() {
        return adoption;
    }

    /** Puts many limits in force together, and repeats that if Redis could not be reached. */
    public Enforcement enforcement() {
        return enforcement;
    }

    /** Agrees with Redis on the limits of one limiter. Writes what Redis does not know, and follows what it knows. */
    public CompletableFuture<VersionedLimits> agree(AgreedLimits limiter) {
        return fields.read(limiter.name()).thenCompose(found -> agree(limiter, found, MOST_TRIES));
    }

    private CompletableFuture<VersionedLimits> agree(AgreedLimits limiter, String found, int tries) {
        VersionedLimits known = limiter.versions();
        List<LimitsVersion> stored = found.isEmpty() ? List.of() : HistoryText.parse(found);
        LimitsVersion inForce = stored.isEmpty() ? null : stored.get(stored.size() - 1);
        if (inForce != null && limiter.isAgreed() && inForce.number() >= known.version()) {
            return adopt(limiter, stored);
        } else if (!limiter.isWanted() || enforcement.isPending(limiter.name())) {
            // Other processes may have written them. A process that only prepares the limiter writes nothing, and an
            // enforcement writes all its limits together.
            return inForce == null ? CompletableFuture.completedFuture(known) : adopt(limiter, stored);
        } else if (inForce != null && !limiter.isAgreed()) {
            LimitsVersion configured = known.inForce;
            if (configured.limits().equals(inForce.limits()) || configured.revision() <= inForce.revision()) {
                return adopt(limiter, stored);
            }
            return replace(
                    limiter, found, HistoryText.changed(stored, configured.limits(), configured.revision()), tries);
        }
        // Redis knows nothing, or an older version than this process.
        return replace(
                limiter, found, limiter.isAgreed() ? HistoryText.of(known.history) : HistoryText.first(known), tries);
    }

    private CompletableFuture<VersionedLimits> replace(AgreedLimits limiter, String found, String text, int tries) {
        return fields.replace(limiter.name(), found, text).thenCompose(now -> {
            boolean ours = now.equals(text) || (!now.equals(found) && HistoryText.isTaken(now, text));
            if (ours) {
                return adopt(limiter, HistoryText.parse(now));
            } else if (tries == 0) {
                return tooManyChanges(limiter);
            }
            return agree(limiter, now, tries - 1);
        });
    }

    private CompletableFuture<VersionedLimits> tooManyChanges(AgreedLimits limiter) {
        return CompletableFuture.failedFuture(limiters.unavailable(
                "limiter \"" + limiter.name() + "\": its limits are changed by others all the time"));
    }

    private CompletableFuture<VersionedLimits> adopt(AgreedLimits limiter, List<LimitsVersion> stored) {
        VersionedLimits versions = new VersionedLimits(stored);
        adoption.adopt(Map.of(limiter, versions));
        return CompletableFuture.completedFuture(versions);
    }

    /**
     * Whether limits have changed since this process agreed on all its limiters, or it has not agreed on some. While this
     * process puts many limits in force, it learns of changes that way.
     */
    public boolean isBehind(String count) {
        return enforcing.isDone()
                && (!count.equals(agreedCount.get())
                        || limiters.all().stream()
                                .anyMatch(limiter -> limiter.isWanted()
                                        && !limiter.isAgreed()
                                        && !enforcement.isPending(limiter.name())));
    }

    /** The number of changes of limits in Redis when this process agreed on all its limiters. */
    public String agreedCount() {
        return agreedCount.get();
    }

    /** Redis may have lost limits, so this process must agree on all its limiters again. */
    public void doubt() {
        agreedCount.set("");
    }

    /**
     * Agrees with Redis on the limits of all limiters of the store, as of one moment: limits that were put in force
     * together are adopted together.
     */
    public CompletableFuture<?> agreeAll() {
        return agreeAll(List.copyOf(limiters.all()));
    }

    private CompletableFuture<?> agreeAll(List<AgreedLimits> limiters) {
        if (limiters.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return fields.read(limiters)
                .thenComposeAsync(
                        found -> agreeAll(limiters, found.texts()).thenRun(() -> agreedCount.set(found.count())),
                        worker);
    }

    private CompletableFuture<?> agreeAll(List<AgreedLimits> limiters, List<String> found) {
        Map<AgreedLimits, VersionedLimits> known = new LinkedHashMap<>();
        List<CompletableFuture<?>> others = new ArrayList<>();
        for (int i = 0; i < limiters.size(); i++) {
            AgreedLimits limiter = limiters.get(i);
            String text = found.get(i);
            if (limiter.isAgreed() && !text.isEmpty()) {
                VersionedLimits versions = HistoryText.versions(limiter, text);
                if (versions.version() >= limiter.versions().version()) {
                    known.put(limiter, versions);
                    continue;
                }
            }
            // The whole text was read only of a limiter that this process has not agreed on.
            others.add(limiter.isAgreed() ? agree(limiter) : agree(limiter, text, MOST_TRIES));
        }
        adoption.adopt(known);
        return CompletableFuture.allOf(others.toArray(CompletableFuture[]::new));
    }

    /** Puts other limits of one limiter in force, for all processes. */
    public CompletableFuture<VersionedLimits> update(AgreedLimits limiter, List<Limit> limits) {
        log.wanted(limiter.name(), limits);
        return limiter.afterOtherUpdates(
                () -> agree(limiter).thenCompose(unused -> update(limiter, limits, MOST_TRIES)));
    }

    private CompletableFuture<VersionedLimits> update(AgreedLimits limiter, List<Limit> limits, int tries) {
        return fields.read(limiter.name()).thenCompose(found -> {
            List<LimitsVersion> stored = HistoryText.parse(found);
            LimitsVersion inForce = stored.get(stored.size() - 1);
            if (inForce.limits().equals(limits)) {
                return adopt(limiter, stored);
            }
            String text = HistoryText.changed(stored, limits, inForce.revision());
            return fields.replace(limiter.name(), found, text).thenCompose(now -> {
                if (!now.equals(found) && HistoryText.isTaken(now, text)) {
                    return adopt(limiter, HistoryText.parse(now));
                } else if (tries == 0) {
                    return tooManyChanges(limiter);
                }
                return update(limiter, limits, tries - 1);
            });
        });
    }

    /** Puts limits in force for all processes, at one moment. Limits with a higher revision stay. */
    CompletableFuture<?> enforce(List<AgreedLimits> limiters, List<LimiterSpec> specs) {
        if (specs.size() <= ConfigFields.PIECE) {
            return enforceAtOnce(limiters, specs);
        }
        CompletableFuture<?> done = manyLimits
                .enforce(limiters, specs)
                .thenCompose(enforced ->
                        enforced ? CompletableFuture.completedFuture(null) : enforceAtOnce(limiters, specs));
        enforcing = done.copy().orTimeout(LONGEST_ENFORCEMENT_SECONDS, TimeUnit.SECONDS);
        return done;
    }

    private CompletableFuture<Void> enforceAtOnce(List<AgreedLimits> limiters, List<LimiterSpec> specs) {
        List<byte[]> values = new ArrayList<>(4 * specs.size());
        for (int i = 0; i < specs.size(); i++) {
            LimiterSpec spec = specs.get(i);
            values.add(KeyNames.field(spec.name()));
            values.add(bytes(Integer.toString(limiters.get(i).knownVersion())));
            values.add(bytes(Long.toString(spec.options().revision())));
            values.add(bytes(spec.limit().toString()));
        }
        return fields.enforce(values)
                .thenAcceptAsync(texts -> adoption.adopt(HistoryText.versions(limiters, texts)), worker);
    }

    /**
     * Learns the limits under which a key was written, because this process does not know that version.
     *
     * @param version the version of the key
     */
    public CompletableFuture<VersionedLimits> catchUp(AgreedLimits limiter, int version) {
        if (adoption.adoptPending() && version <= limiter.versions().version()) {
            return CompletableFuture.completedFuture(limiter.versions());
        }
        CompletableFuture<?> underWay = enforcing;
        if (underWay.isDone()) {
            return readNewer(limiter, version);
        }
        // The enforcement will probably bring the version, so it need not be read.
        CompletableFuture<@Nullable Void> waited = new CompletableFuture<>();
        underWay.whenComplete((done, failure) -> waited.complete(null));
        TimeSource.system().schedule(UNDER_WAY_MICROS, () -> waited.complete(null));
        return waited.thenCompose(unused -> version <= limiter.versions().version()
                ? CompletableFuture.completedFuture(limiter.versions())
                : readNewer(limiter, version));
    }

    private CompletableFuture<VersionedLimits> readNewer(AgreedLimits limiter, int version) {
        // The store may have released this limiter.
        Set<AgreedLimits> all = new LinkedHashSet<>(limiters.all());
        all.add(limiter);
        return agreeAll(List.copyOf(all))
                .thenApply(unused -> limiter.versions())
                .thenCompose(versions -> {
                    if (version <= versions.version()) {
                        return CompletableFuture.completedFuture(versions);
                    }
                    // Redis has lost that version, and no process has written it again. The known limits get a higher
                    // number.
                    LOG.log(
                            Level.WARNING,
                            "limiter \"{0}\": version {1} of its limits is lost, continuing with {2}",
                            limiter.name(),
                            version,
                            versions.limits());
                    LimitsVersion next = new LimitsVersion(
                            version + 1, versions.inForce.since(), versions.inForce.revision(), versions.limits());
                    return fields.read(limiter.name())
                            .thenCompose(found -> replace(limiter, found, HistoryText.of(List.of(next)), MOST_TRIES));
                });
    }
}
