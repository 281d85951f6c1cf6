package io.sluice.redis;

import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.sluice.Limit;
import io.sluice.LimiterSpec;
import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import io.sluice.redis.Terms.Version;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
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

    private final RedisStore store;

    Config(RedisStore store) {
        this.store = store;
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
            read.forEach((limiter, terms) -> {
                if (limiter.agreement.adopt(terms)) {
                    changed.add(limiter);
                }
            });
        }
        changed.forEach(RedisLimiter::changed);
    }

    /** The limits of limiters at one moment. */
    synchronized List<List<Limit>> limits(List<? extends RateLimiter> limiters) {
        return limiters.stream().map(RateLimiter::limits).toList();
    }

    /**
     * Agrees with Redis on the terms of all limiters of the store, as of one moment: what was put in force together is
     * heard of together.
     */
    CompletableFuture<?> agreeAll() {
        List<RedisLimiter> limiters = List.copyOf(store.limiters.all());
        Link link = store.link();
        if (limiters.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        } else if (link == null) {
            return CompletableFuture.failedFuture(Late.disconnected());
        }
        CommandArgs<byte[], byte[]> fields = Link.arguments().addKey(store.names.config());
        limiters.forEach(limiter -> fields.add(KeyNames.field(limiter.name())));
        return link.run(CommandType.HMGET, Link.list(), fields).thenCompose(found -> agreeAll(limiters, found));
    }

    private CompletableFuture<?> agreeAll(List<RedisLimiter> limiters, List<byte[]> found) {
        Map<RedisLimiter, Terms> known = new LinkedHashMap<>();
        List<CompletableFuture<?>> others = new ArrayList<>();
        for (int i = 0; i < limiters.size(); i++) {
            RedisLimiter limiter = limiters.get(i);
            String text = decoded(found.get(i));
            if (limiter.isAgreed() && !text.isEmpty()) {
                List<Version> stored = HistoryText.parse(text);
                if (stored.get(stored.size() - 1).number() >= limiter.terms().version()) {
                    known.put(limiter, new Terms(stored));
                    continue;
                }
            }
            others.add(agree(limiter, text, MOST_TRIES));
        }
        follow(known);
        return CompletableFuture.allOf(others.toArray(CompletableFuture[]::new));
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
            RedisLimiter limiter = limiters.get(i);
            values.add(KeyNames.field(spec.name()));
            values.add(
                    bytes(Integer.toString(limiter.isAgreed() ? limiter.terms().version() : 0)));
            values.add(bytes(Long.toString(spec.options().revision())));
            values.add(bytes(spec.limit().toString()));
        }
        return link.list(Script.ENFORCE, List.of(store.names.config()), values).thenAccept(texts -> {
            Map<RedisLimiter, Terms> read = new LinkedHashMap<>();
            for (int i = 0; i < limiters.size(); i++) {
                read.put(limiters.get(i), new Terms(HistoryText.parse(decoded(texts.get(i)))));
            }
            follow(read);
        });
    }

    /**
     * A key was found that was written under a version that is not known here.
     *
     * @param version the one that was found
     */
    CompletableFuture<Terms> catchUp(RedisLimiter limiter, int version) {
        return agreeAll().thenApply(unused -> limiter.terms()).thenCompose(terms -> {
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
                .thenApply(Config::decoded);
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

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String decoded(byte @Nullable [] reply) {
        return reply == null ? "" : new String(reply, StandardCharsets.UTF_8);
    }
}
