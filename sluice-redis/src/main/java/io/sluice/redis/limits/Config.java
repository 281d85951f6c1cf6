package io.sluice.redis.limits;

import static io.sluice.redis.limits.ConfigFields.bytes;
import static io.sluice.redis.limits.ConfigFields.decoded;

import io.lettuce.core.protocol.CommandType;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import io.sluice.redis.connect.Connection;
import io.sluice.redis.connect.Link;
import io.sluice.redis.connect.NoAnswerException;
import io.sluice.redis.connect.Workers;
import io.sluice.redis.script.KeyNames;
import io.sluice.redis.script.Script;
import io.sluice.spi.LimiterSpec;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * Redis knows, for every limiter, the limits in force and those before (see HistoryText). A change replaces the whole text,
 * if it still is what the changer has read; so of two changers one is told and tries again. A process that brings other
 * limits than those in force follows the ones in force, unless it brings a higher revision: nothing old comes back by
 * restarting a process.
 *
 * What Redis has lost (it was flushed, or a replica took over that lagged behind) every process brings again that still
 * knows it.
 */
/** The limits in force, for all processes. */
public final class Config {
    private static final System.Logger LOG = System.getLogger("io.sluice.redis");
    private static final int MOST_TRIES = 100;

    /** How long others have to hear of many limits before this process decides by them. */
    private static final long HEARING_MICROS = 200_000;

    /** How long to wait for what is under way anyway. */
    private static final long UNDER_WAY_MICROS = 40_000;

    /** Those who read terms meanwhile try so often before they let others have the core. */
    private static final int SPINS = 100;

    private final Connection connection;
    private final KeyNames names;
    private final @Nullable TimeSource virtualTime;
    private final StoreLimiters limiters;
    private final LimitLog log;
    private final Enforcement enforcement;
    private final ConfigFields fields;

    /** Where texts are read: thousands of them would keep the thread that talks to Redis from its work. */
    private final Executor worker;

    /** How often terms were taken over, twice: odd while that is being done. */
    private volatile long adoptions;

    /** Terms that are in force, and are taken over in a moment; null if there are none. */
    private final AtomicReference<@Nullable Map<AgreedLimits, VersionedLimits>> pending = new AtomicReference<>();

    /** What is under way of putting many limits in force. */
    private volatile CompletableFuture<?> enforcing = CompletableFuture.completedFuture(null);

    /** How often limits had changed in Redis when all limiters were agreed on; empty if that was not yet so. */
    private volatile String agreedCount = "";

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
        this.connection = connection;
        this.names = names;
        this.virtualTime = virtualTime;
        this.limiters = limiters;
        this.log = log;
        this.worker = Workers.single("sluice-redis-config");
        this.fields = new ConfigFields(connection, names, virtualTime, worker);
        this.enforcement = new Enforcement(this, connection, deadlineNanos, limiters::find);
    }

    /** Puts many limits in force together, and repeats that if Redis could not be reached. */
    public Enforcement enforcement() {
        return enforcement;
    }

    /** Agrees with Redis on a limiter's terms: brings what Redis does not know, follows what it does. */
    public CompletableFuture<VersionedLimits> agree(AgreedLimits limiter) {
        return read(limiter).thenCompose(found -> agree(limiter, found, MOST_TRIES));
    }

    private CompletableFuture<VersionedLimits> agree(AgreedLimits limiter, String found, int tries) {
        VersionedLimits known = limiter.versions();
        List<LimitsVersion> stored = found.isEmpty() ? List.of() : HistoryText.parse(found);
        LimitsVersion inForce = stored.isEmpty() ? null : stored.get(stored.size() - 1);
        if (inForce != null && limiter.isAgreed() && inForce.number() >= known.version()) {
            return adopt(limiter, stored);
        } else if (!limiter.isWanted() || enforcement.isPending(limiter.name())) {
            // Others may know of it. Who only gets ready for it brings nothing, and what is enforced is brought with
            // the rest.
            return inForce == null ? CompletableFuture.completedFuture(known) : adopt(limiter, stored);
        } else if (inForce != null && !limiter.isAgreed()) {
            LimitsVersion brought = known.inForce;
            if (brought.limits().equals(inForce.limits()) || brought.revision() <= inForce.revision()) {
                return adopt(limiter, stored);
            }
            return replace(limiter, found, HistoryText.changed(stored, brought.limits(), brought.revision()), tries);
        }
        // Redis knows nothing, or less than we do.
        return replace(
                limiter, found, limiter.isAgreed() ? HistoryText.of(known.history) : HistoryText.first(known), tries);
    }

    private CompletableFuture<VersionedLimits> replace(AgreedLimits limiter, String found, String text, int tries) {
        return write(limiter, found, text).thenCompose(now -> {
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
        adopt(Map.of(limiter, versions));
        return CompletableFuture.completedFuture(versions);
    }

    /** Takes over terms that were read at one moment, so that nobody sees some of them without the others. */
    private void adopt(Map<AgreedLimits, VersionedLimits> read) {
        List<AgreedLimits> changed = new ArrayList<>();
        synchronized (this) {
            adoptions++;
            try {
                read.forEach((limiter, versions) -> {
                    if (limiter.adopt(versions)) {
                        changed.add(limiter);
                    }
                });
            } finally {
                adoptions++;
            }
        }
        changed.forEach(AgreedLimits::changed);
    }

    /** What somebody reads of the terms of limiters, none of which change meanwhile. */
    public <T> T asOfOneMoment(Supplier<T> reading) {
        for (int attempt = 0; ; attempt++) {
            long before = adoptions;
            if ((before & 1) == 0) {
                T read = reading.get();
                if (adoptions == before) {
                    return read;
                }
            }
            pause(attempt);
        }
    }

    private static void pause(int attempt) {
        if (attempt < SPINS) {
            Thread.onSpinWait();
        } else {
            LockSupport.parkNanos(20_000);
        }
    }

    /** The limits of limiters at one moment. */
    public List<List<Limit>> limits(List<? extends RateLimiter> limiters) {
        return asOfOneMoment(() -> limiters.stream().map(RateLimiter::limits).toList());
    }

    /** Whether limits have changed since all limiters were agreed on, or some never were. */
    public boolean isBehind(String count) {
        return !count.equals(agreedCount)
                || limiters.all().stream()
                        .anyMatch(limiter ->
                                limiter.isWanted() && !limiter.isAgreed() && !enforcement.isPending(limiter.name()));
    }

    /** How often limits had changed when all limiters were agreed on. */
    public String agreedCount() {
        return agreedCount;
    }

    /** What was agreed on may have been lost. */
    public void doubt() {
        agreedCount = "";
    }

    /**
     * Agrees with Redis on the terms of all limiters of the store, as of one moment: what was put in force together is
     * heard of together.
     */
    public CompletableFuture<?> agreeAll() {
        return agreeAll(List.copyOf(limiters.all()));
    }

    private CompletableFuture<?> agreeAll(List<AgreedLimits> limiters) {
        if (limiters.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return fields.read(namesOf(limiters))
                .thenComposeAsync(
                        found -> agreeAll(limiters, found.texts()).thenRun(() -> agreedCount = found.count()), worker);
    }

    private static List<String> namesOf(List<AgreedLimits> limiters) {
        return limiters.stream().map(AgreedLimits::name).toList();
    }

    private CompletableFuture<?> agreeAll(List<AgreedLimits> limiters, List<String> found) {
        Map<AgreedLimits, VersionedLimits> known = new LinkedHashMap<>();
        List<CompletableFuture<?>> others = new ArrayList<>();
        for (int i = 0; i < limiters.size(); i++) {
            AgreedLimits limiter = limiters.get(i);
            String text = found.get(i);
            if (limiter.isAgreed() && !text.isEmpty()) {
                VersionedLimits versions = versions(limiter, text);
                if (versions.version() >= limiter.versions().version()) {
                    known.put(limiter, versions);
                    continue;
                }
            }
            others.add(agree(limiter, text, MOST_TRIES));
        }
        adopt(known);
        return CompletableFuture.allOf(others.toArray(CompletableFuture[]::new));
    }

    /** The terms that a text says: those that are known, if it says nothing else. */
    private static VersionedLimits versions(AgreedLimits limiter, String text) {
        VersionedLimits known = limiter.versions();
        HistoryText.Last last = HistoryText.Last.of(text);
        boolean same =
                limiter.isAgreed() && last.number() == known.version() && last.revision() == known.inForce.revision();
        return same ? known : HistoryText.versions(text, known);
    }

    /** Puts new limits in force, for everybody. */
    public CompletableFuture<VersionedLimits> update(AgreedLimits limiter, List<Limit> limits) {
        log.wanted(limiter.name(), limits);
        return limiter.afterOtherUpdates(
                () -> agree(limiter).thenCompose(unused -> update(limiter, limits, MOST_TRIES)));
    }

    private CompletableFuture<VersionedLimits> update(AgreedLimits limiter, List<Limit> limits, int tries) {
        return read(limiter).thenCompose(found -> {
            List<LimitsVersion> stored = HistoryText.parse(found);
            LimitsVersion inForce = stored.get(stored.size() - 1);
            if (inForce.limits().equals(limits)) {
                return adopt(limiter, stored);
            }
            String text = HistoryText.changed(stored, limits, inForce.revision());
            return write(limiter, found, text).thenCompose(now -> {
                if (!now.equals(found) && HistoryText.isTaken(now, text)) {
                    return adopt(limiter, HistoryText.parse(now));
                } else if (tries == 0) {
                    return tooManyChanges(limiter);
                }
                return update(limiter, limits, tries - 1);
            });
        });
    }

    /** Puts limits in force for everybody, all at one moment; those of a higher revision stay. */
    CompletableFuture<?> enforce(List<AgreedLimits> limiters, List<LimiterSpec> specs) {
        if (specs.size() <= ConfigFields.PIECE) {
            return enforceAtOnce(limiters, specs);
        }
        CompletableFuture<?> done = enforceInPieces(limiters, specs, MOST_TRIES);
        enforcing = done;
        return done;
    }

    private CompletableFuture<Void> enforceAtOnce(List<AgreedLimits> limiters, List<LimiterSpec> specs) {
        Link link = connection.link();
        if (link == null) {
            return CompletableFuture.failedFuture(NoAnswerException.notConnected());
        }
        TimeSource virtual = virtualTime;
        List<byte[]> values = new ArrayList<>(2 + 4 * specs.size());
        values.add(bytes(virtual == null ? "" : Long.toString(virtual.micros())));
        values.add(bytes(Integer.toString(HistoryText.LONGEST)));
        for (int i = 0; i < specs.size(); i++) {
            LimiterSpec spec = specs.get(i);
            values.add(KeyNames.field(spec.name()));
            values.add(bytes(Integer.toString(knownVersion(limiters.get(i)))));
            values.add(bytes(Long.toString(spec.options().revision())));
            values.add(bytes(spec.limit().toString()));
        }
        return link.list(Script.ENFORCE, List.of(names.config()), values)
                .thenAcceptAsync(
                        texts -> adopt(versions(
                                limiters,
                                texts.stream().map(ConfigFields::decoded).toList())),
                        worker);
    }

    private static int knownVersion(AgreedLimits limiter) {
        return limiter.isAgreed() ? limiter.versions().version() : 0;
    }

    private static Map<AgreedLimits, VersionedLimits> versions(List<AgreedLimits> limiters, List<String> texts) {
        Map<AgreedLimits, VersionedLimits> read = new LinkedHashMap<>();
        for (int i = 0; i < limiters.size(); i++) {
            AgreedLimits limiter = limiters.get(i);
            read.put(limiter, versions(limiter, texts.get(i)));
        }
        return read;
    }

    private CompletableFuture<Void> enforceInPieces(List<AgreedLimits> limiters, List<LimiterSpec> specs, int tries) {
        return fields.read(namesOf(limiters))
                .thenComposeAsync(found -> enforceInPieces(limiters, specs, found, tries), worker);
    }

    private CompletableFuture<Void> enforceInPieces(
            List<AgreedLimits> limiters, List<LimiterSpec> specs, ConfigFields.Found found, int tries) {
        List<String> texts = new ArrayList<>(specs.size());
        Map<String, String> changes = new LinkedHashMap<>();
        for (int i = 0; i < specs.size(); i++) {
            LimiterSpec spec = specs.get(i);
            String before = found.texts().get(i);
            String text = HistoryText.enforced(
                    before,
                    knownVersion(limiters.get(i)),
                    spec.options().revision(),
                    spec.limit().toString());
            texts.add(text);
            if (!text.equals(before)) {
                changes.put(spec.name(), text);
            }
        }
        CompletableFuture<Optional<ConfigFields.Written>> written = changes.isEmpty()
                ? CompletableFuture.completedFuture(Optional.of(new ConfigFields.Written("", found.count())))
                : fields.write(found.count(), changes);
        return written.thenComposeAsync(
                done -> {
                    if (done.isEmpty()) {
                        return tries == 0
                                ? enforceAtOnce(limiters, specs)
                                : enforceInPieces(limiters, specs, tries - 1);
                    }
                    texts.replaceAll(text -> HistoryText.since(text, done.get().micros()));
                    if (agreedCount.equals(found.count())) {
                        // Nobody else has changed anything, and what changed here is known.
                        agreedCount = done.get().count();
                    }
                    return adoptSoon(versions(limiters, texts), !changes.isEmpty());
                },
                worker);
    }

    /*
     * Who meets a key of newer terms can do nothing before it knows them, and to hear of thousands takes a while. So whoever has put
     * them in force decides by the ones before for a moment longer; if another process is faster, it takes them over just then.
     */
    private CompletableFuture<Void> adoptSoon(Map<AgreedLimits, VersionedLimits> versions, boolean others) {
        if (!others || virtualTime != null || limiters.processes() == 1) {
            adopt(versions);
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> followed = new CompletableFuture<>();
        pending.set(versions);
        TimeSource.system()
                .schedule(
                        HEARING_MICROS,
                        () -> worker.execute(() -> {
                            if (pending.compareAndSet(versions, null)) {
                                adopt(versions);
                            }
                            followed.complete(null);
                        }));
        return followed;
    }

    private boolean adoptPending() {
        Map<AgreedLimits, VersionedLimits> versions = pending.getAndSet(null);
        if (versions != null) {
            adopt(versions);
        }
        return versions != null;
    }

    /**
     * A key was found that was written under a version that is not known here.
     *
     * @param version the one that was found
     */
    public CompletableFuture<VersionedLimits> catchUp(AgreedLimits limiter, int version) {
        if (adoptPending() && version <= limiter.versions().version()) {
            return CompletableFuture.completedFuture(limiter.versions());
        }
        CompletableFuture<?> underWay = enforcing;
        if (underWay.isDone()) {
            return readNewer(limiter, version);
        }
        // It is likely to be known in a moment, without asking for all of it once more.
        CompletableFuture<@Nullable Void> waited = new CompletableFuture<>();
        underWay.whenComplete((done, failure) -> waited.complete(null));
        TimeSource.system().schedule(UNDER_WAY_MICROS, () -> waited.complete(null));
        return waited.thenCompose(unused -> version <= limiter.versions().version()
                ? CompletableFuture.completedFuture(limiter.versions())
                : readNewer(limiter, version));
    }

    private CompletableFuture<VersionedLimits> readNewer(AgreedLimits limiter, int version) {
        // It may be one that the newest rules do not know any more.
        Set<AgreedLimits> all = new LinkedHashSet<>(limiters.all());
        all.add(limiter);
        return agreeAll(List.copyOf(all))
                .thenApply(unused -> limiter.versions())
                .thenCompose(versions -> {
                    if (version <= versions.version()) {
                        return CompletableFuture.completedFuture(versions);
                    }
                    // Redis has lost that version, and whoever made it: what is known goes on with a higher number.
                    LOG.log(
                            Level.WARNING,
                            "limiter \"{0}\": version {1} of its limits is lost, going on with {2}",
                            limiter.name(),
                            version,
                            versions.limits());
                    LimitsVersion next = new LimitsVersion(
                            version + 1, versions.inForce.since(), versions.inForce.revision(), versions.limits());
                    return read(limiter)
                            .thenCompose(found -> replace(limiter, found, HistoryText.of(List.of(next)), MOST_TRIES));
                });
    }

    private CompletableFuture<String> read(AgreedLimits limiter) {
        Link link = connection.link();
        if (link == null) {
            return CompletableFuture.failedFuture(NoAnswerException.notConnected());
        }
        return link.run(
                        CommandType.HGET,
                        Link.bytes(),
                        Link.arguments().addKey(names.config()).add(KeyNames.field(limiter.name())))
                .thenApply(ConfigFields::decoded);
    }

    private CompletableFuture<String> write(AgreedLimits limiter, String found, String text) {
        Link link = connection.link();
        if (link == null) {
            return CompletableFuture.failedFuture(NoAnswerException.notConnected());
        }
        TimeSource virtual = virtualTime;
        CompletableFuture<String> answer = new CompletableFuture<>();
        link.call(
                Script.CONFIG,
                List.of(names.config()),
                new ArrayList<>(List.of(
                        KeyNames.field(limiter.name()),
                        bytes(found),
                        bytes(text),
                        bytes(virtual == null ? "" : Long.toString(virtual.micros())))),
                (reply, failure) -> {
                    if (failure == null) {
                        answer.complete(decoded(reply));
                    } else {
                        answer.completeExceptionally(failure);
                    }
                });
        return answer;
    }
}
