package io.sluice.redis;

import static io.sluice.redis.ConfigFields.bytes;
import static io.sluice.redis.ConfigFields.decoded;

import io.lettuce.core.protocol.CommandType;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import io.sluice.redis.Terms.Version;
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
final class Config {
    private static final System.Logger LOG = System.getLogger("io.sluice.redis");
    private static final int MOST_TRIES = 100;

    /** How long others have to hear of many limits before this process decides by them. */
    private static final long HEARING_MICROS = 200_000;

    /** How long to wait for what is under way anyway. */
    private static final long UNDER_WAY_MICROS = 40_000;

    /** Those who read terms meanwhile try so often before they let others have the core. */
    private static final int SPINS = 100;

    private final RedisStore store;
    private final ConfigFields fields;

    /** Where texts are read: thousands of them would keep the thread that talks to Redis from its work. */
    private final Executor worker;

    /** How often terms were taken over, twice: odd while that is being done. */
    private volatile long adoptions;

    /** Terms that are in force, and are taken over in a moment; null if there are none. */
    private final AtomicReference<@Nullable Map<RedisLimiter, Terms>> pending = new AtomicReference<>();

    /** What is under way of putting many limits in force. */
    private volatile CompletableFuture<?> enforcing = CompletableFuture.completedFuture(null);

    /** How often limits had changed in Redis when all limiters were agreed on; empty if that was not yet so. */
    private volatile String seen = "";

    Config(RedisStore store) {
        this.store = store;
        this.worker = Workers.single("sluice-redis-config");
        this.fields = new ConfigFields(store, worker);
    }

    /** Agrees with Redis on a limiter's terms: brings what Redis does not know, follows what it does. */
    CompletableFuture<Terms> agree(RedisLimiter limiter) {
        return read(limiter).thenCompose(found -> agree(limiter, found, MOST_TRIES));
    }

    private CompletableFuture<Terms> agree(RedisLimiter limiter, String found, int tries) {
        Terms known = limiter.terms();
        List<Version> stored = found.isEmpty() ? List.of() : HistoryText.parse(found);
        Version inForce = stored.isEmpty() ? null : stored.get(stored.size() - 1);
        if (inForce != null && limiter.isAgreed() && inForce.number() >= known.version()) {
            return follow(limiter, stored);
        } else if (!limiter.isWanted() || store.limiters.isPending(limiter)) {
            // Others may know of it. Who only gets ready for it brings nothing, and what is enforced is brought with
            // the rest.
            return inForce == null ? CompletableFuture.completedFuture(known) : follow(limiter, stored);
        } else if (inForce != null && !limiter.isAgreed()) {
            Version brought = known.inForce;
            if (brought.limits().equals(inForce.limits()) || brought.revision() <= inForce.revision()) {
                return follow(limiter, stored);
            }
            return replace(limiter, found, HistoryText.changed(stored, brought.limits(), brought.revision()), tries);
        }
        // Redis knows nothing, or less than we do.
        return replace(
                limiter, found, limiter.isAgreed() ? HistoryText.of(known.history) : HistoryText.first(known), tries);
    }

    private CompletableFuture<Terms> replace(RedisLimiter limiter, String found, String text, int tries) {
        return write(limiter, found, text).thenCompose(now -> {
            boolean ours = now.equals(text) || (!now.equals(found) && HistoryText.isTaken(now, text));
            if (ours) {
                return follow(limiter, HistoryText.parse(now));
            } else if (tries == 0) {
                return tooManyChanges(limiter);
            }
            return agree(limiter, now, tries - 1);
        });
    }

    private static CompletableFuture<Terms> tooManyChanges(RedisLimiter limiter) {
        return CompletableFuture.failedFuture(new RedisUnavailableException(
                "limiter \"" + limiter.name() + "\": its limits are changed by others all the time", null));
    }

    private CompletableFuture<Terms> follow(RedisLimiter limiter, List<Version> stored) {
        Terms terms = new Terms(stored);
        follow(Map.of(limiter, terms));
        return CompletableFuture.completedFuture(terms);
    }

    /** Takes over terms that were read at one moment, so that nobody sees some of them without the others. */
    private void follow(Map<RedisLimiter, Terms> read) {
        List<RedisLimiter> changed = new ArrayList<>();
        synchronized (this) {
            adoptions++;
            try {
                read.forEach((limiter, terms) -> {
                    if (limiter.agreement.adopt(terms)) {
                        changed.add(limiter);
                    }
                });
            } finally {
                adoptions++;
            }
        }
        changed.forEach(RedisLimiter::changed);
    }

    /** What somebody reads of the terms of limiters, none of which change meanwhile. */
    <T> T asOfOneMoment(Supplier<T> reading) {
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
    List<List<Limit>> limits(List<? extends RateLimiter> limiters) {
        return asOfOneMoment(() -> limiters.stream().map(RateLimiter::limits).toList());
    }

    /** Whether limits have changed since all limiters were agreed on, or some never were. */
    boolean isBehind(String count) {
        return !count.equals(seen)
                || store.limiters.all().stream()
                        .anyMatch(limiter ->
                                limiter.isWanted() && !limiter.isAgreed() && !store.limiters.isPending(limiter));
    }

    /** How often limits had changed when all limiters were agreed on. */
    String seen() {
        return seen;
    }

    /** What was agreed on may have been lost. */
    void doubt() {
        seen = "";
    }

    /**
     * Agrees with Redis on the terms of all limiters of the store, as of one moment: what was put in force together is
     * heard of together.
     */
    CompletableFuture<?> agreeAll() {
        return agreeAll(List.copyOf(store.limiters.all()));
    }

    private CompletableFuture<?> agreeAll(List<RedisLimiter> limiters) {
        if (limiters.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return fields.read(namesOf(limiters))
                .thenComposeAsync(
                        found -> agreeAll(limiters, found.texts()).thenRun(() -> seen = found.count()), worker);
    }

    private static List<String> namesOf(List<RedisLimiter> limiters) {
        return limiters.stream().map(RedisLimiter::name).toList();
    }

    private CompletableFuture<?> agreeAll(List<RedisLimiter> limiters, List<String> found) {
        Map<RedisLimiter, Terms> known = new LinkedHashMap<>();
        List<CompletableFuture<?>> others = new ArrayList<>();
        for (int i = 0; i < limiters.size(); i++) {
            RedisLimiter limiter = limiters.get(i);
            String text = found.get(i);
            if (limiter.isAgreed() && !text.isEmpty()) {
                Terms terms = terms(limiter, text);
                if (terms.version() >= limiter.terms().version()) {
                    known.put(limiter, terms);
                    continue;
                }
            }
            others.add(agree(limiter, text, MOST_TRIES));
        }
        follow(known);
        return CompletableFuture.allOf(others.toArray(CompletableFuture[]::new));
    }

    /** The terms that a text says: those that are known, if it says nothing else. */
    private static Terms terms(RedisLimiter limiter, String text) {
        Terms known = limiter.terms();
        HistoryText.Last last = HistoryText.Last.of(text);
        boolean same =
                limiter.isAgreed() && last.number() == known.version() && last.revision() == known.inForce.revision();
        return same ? known : HistoryText.terms(text, known);
    }

    /** Puts new limits in force, for everybody. */
    CompletableFuture<Terms> update(RedisLimiter limiter, List<Limit> limits) {
        store.limitLog.wanted(limiter, limits);
        return limiter.agreement.afterOtherUpdates(
                () -> agree(limiter).thenCompose(unused -> update(limiter, limits, MOST_TRIES)));
    }

    private CompletableFuture<Terms> update(RedisLimiter limiter, List<Limit> limits, int tries) {
        return read(limiter).thenCompose(found -> {
            List<Version> stored = HistoryText.parse(found);
            Version inForce = stored.get(stored.size() - 1);
            if (inForce.limits().equals(limits)) {
                return follow(limiter, stored);
            }
            String text = HistoryText.changed(stored, limits, inForce.revision());
            return write(limiter, found, text).thenCompose(now -> {
                if (!now.equals(found) && HistoryText.isTaken(now, text)) {
                    return follow(limiter, HistoryText.parse(now));
                } else if (tries == 0) {
                    return tooManyChanges(limiter);
                }
                return update(limiter, limits, tries - 1);
            });
        });
    }

    /** Puts limits in force for everybody, all at one moment; those of a higher revision stay. */
    CompletableFuture<?> enforce(List<RedisLimiter> limiters, List<LimiterSpec> specs) {
        if (specs.size() <= ConfigFields.PIECE) {
            return enforceAtOnce(limiters, specs);
        }
        CompletableFuture<?> done = enforceInPieces(limiters, specs, MOST_TRIES);
        enforcing = done;
        return done;
    }

    private CompletableFuture<Void> enforceAtOnce(List<RedisLimiter> limiters, List<LimiterSpec> specs) {
        Link link = store.link();
        if (link == null) {
            return CompletableFuture.failedFuture(Late.disconnected());
        }
        TimeSource virtual = store.virtualTime;
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
        return link.list(Script.ENFORCE, List.of(store.names.config()), values)
                .thenAcceptAsync(
                        texts -> follow(terms(
                                limiters,
                                texts.stream().map(ConfigFields::decoded).toList())),
                        worker);
    }

    private static int knownVersion(RedisLimiter limiter) {
        return limiter.isAgreed() ? limiter.terms().version() : 0;
    }

    private static Map<RedisLimiter, Terms> terms(List<RedisLimiter> limiters, List<String> texts) {
        Map<RedisLimiter, Terms> read = new LinkedHashMap<>();
        for (int i = 0; i < limiters.size(); i++) {
            RedisLimiter limiter = limiters.get(i);
            read.put(limiter, terms(limiter, texts.get(i)));
        }
        return read;
    }

    private CompletableFuture<Void> enforceInPieces(List<RedisLimiter> limiters, List<LimiterSpec> specs, int tries) {
        return fields.read(namesOf(limiters))
                .thenComposeAsync(found -> enforceInPieces(limiters, specs, found, tries), worker);
    }

    private CompletableFuture<Void> enforceInPieces(
            List<RedisLimiter> limiters, List<LimiterSpec> specs, ConfigFields.Found found, int tries) {
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
                    if (seen.equals(found.count())) {
                        // Nobody else has changed anything, and what changed here is known.
                        seen = done.get().count();
                    }
                    return followSoon(terms(limiters, texts), !changes.isEmpty());
                },
                worker);
    }

    /*
     * Who meets a key of newer terms can do nothing before it knows them, and to hear of thousands takes a while. So whoever has put
     * them in force decides by the ones before for a moment longer; if another process is faster, it takes them over just then.
     */
    private CompletableFuture<Void> followSoon(Map<RedisLimiter, Terms> terms, boolean others) {
        if (!others || store.virtualTime != null || store.processes() == 1) {
            follow(terms);
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> followed = new CompletableFuture<>();
        pending.set(terms);
        TimeSource.system()
                .schedule(
                        HEARING_MICROS,
                        () -> worker.execute(() -> {
                            if (pending.compareAndSet(terms, null)) {
                                follow(terms);
                            }
                            followed.complete(null);
                        }));
        return followed;
    }

    private boolean followPending() {
        Map<RedisLimiter, Terms> terms = pending.getAndSet(null);
        if (terms != null) {
            follow(terms);
        }
        return terms != null;
    }

    /**
     * A key was found that was written under a version that is not known here.
     *
     * @param version the one that was found
     */
    CompletableFuture<Terms> catchUp(RedisLimiter limiter, int version) {
        if (followPending() && version <= limiter.terms().version()) {
            return CompletableFuture.completedFuture(limiter.terms());
        }
        CompletableFuture<?> underWay = enforcing;
        if (underWay.isDone()) {
            return readUp(limiter, version);
        }
        // It is likely to be known in a moment, without asking for all of it once more.
        CompletableFuture<@Nullable Void> waited = new CompletableFuture<>();
        underWay.whenComplete((done, failure) -> waited.complete(null));
        TimeSource.system().schedule(UNDER_WAY_MICROS, () -> waited.complete(null));
        return waited.thenCompose(unused -> version <= limiter.terms().version()
                ? CompletableFuture.completedFuture(limiter.terms())
                : readUp(limiter, version));
    }

    private CompletableFuture<Terms> readUp(RedisLimiter limiter, int version) {
        // It may be one that the newest rules do not know any more.
        Set<RedisLimiter> all = new LinkedHashSet<>(store.limiters.all());
        all.add(limiter);
        return agreeAll(List.copyOf(all)).thenApply(unused -> limiter.terms()).thenCompose(terms -> {
            if (version <= terms.version()) {
                return CompletableFuture.completedFuture(terms);
            }
            // Redis has lost that version, and whoever made it: what is known goes on with a higher number.
            LOG.log(
                    Level.WARNING,
                    "limiter \"{0}\": version {1} of its limits is lost, going on with {2}",
                    limiter.name(),
                    version,
                    terms.limits());
            Version next = new Version(version + 1, terms.inForce.since(), terms.inForce.revision(), terms.limits());
            return read(limiter)
                    .thenCompose(found -> replace(limiter, found, HistoryText.of(List.of(next)), MOST_TRIES));
        });
    }

    private CompletableFuture<String> read(RedisLimiter limiter) {
        Link link = store.link();
        if (link == null) {
            return CompletableFuture.failedFuture(Late.disconnected());
        }
        return link.run(
                        CommandType.HGET,
                        Link.bytes(),
                        Link.arguments().addKey(store.names.config()).add(KeyNames.field(limiter.name())))
                .thenApply(ConfigFields::decoded);
    }

    private CompletableFuture<String> write(RedisLimiter limiter, String found, String text) {
        Link link = store.link();
        if (link == null) {
            return CompletableFuture.failedFuture(Late.disconnected());
        }
        TimeSource virtual = store.virtualTime;
        CompletableFuture<String> answer = new CompletableFuture<>();
        link.call(
                Script.CONFIG,
                List.of(store.names.config()),
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
