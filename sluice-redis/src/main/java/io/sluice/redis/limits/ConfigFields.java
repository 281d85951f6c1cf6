package io.sluice.redis.limits;

import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.sluice.TimeSource;
import io.sluice.redis.connect.Connection;
import io.sluice.redis.connect.Link;
import io.sluice.redis.connect.NoAnswerException;
import io.sluice.redis.script.KeyNames;
import io.sluice.redis.script.Script;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * Thousands of texts in one call would block Redis, and the thread that talks to it, for as long as that takes. So they
 * travel in pieces, one after the other, and other calls run in between. And only lines travel that the receiver does not
 * have: texts grow with each change, and a change of thousands of limits is small beside their history. Redis counts the changes of limits. Pieces that
 * were read under the same count belong to one moment. New texts are written to a copy of the configuration, which replaces
 * the configuration by a rename, if no other process has changed limits meanwhile.
 */
/** Reads and writes the texts of limiters in the configuration, for many limiters as of one moment. */
public final class ConfigFields {
    /** Redis handles so many texts in less than a millisecond. */
    public static final int PIECE = 250;

    /** Redis copies the whole text of a limiter to change it, so a write has fewer texts than a read. */
    private static final int WRITTEN_PIECE = 100;

    private static final byte[] COUNT = bytes("limits");
    private static final byte[] ENFORCED = bytes("enforced");
    private static final int MOST_TRIES = 10;

    /** The time that one process has to write many limits before others try, in milliseconds. */
    private static final long TURN_MILLIS = 1000;

    private final Connection connection;
    private final KeyNames names;
    private final @Nullable TimeSource virtualTime;
    private final Executor worker;

    /**
     * Texts that were read.
     *
     * @param count the number of changes of limits; empty if there was none
     * @param texts the newest lines of each limiter; empty for a limiter that Redis does not know
     */
    record Found(String count, List<String> texts) {}

    /**
     * The number of changes of limits.
     *
     * @param count empty if there was none
     * @param enforced the last change of many limits: the count before it and after it, its time, and a digest; empty if there
     *     was none
     */
    record Changes(String count, String enforced) {
        /**
         * The time of the last change, if it was the only change since a count and has this digest.
         *
         * @param before the count
         */
        Optional<String> timeOf(String before, Supplier<String> digest) {
            String[] words = enforced.split(" ", -1);
            return words.length == 4
                            && words[0].equals(before)
                            && words[1].equals(count)
                            && words[3].equals(digest.get())
                    ? Optional.of(words[2])
                    : Optional.empty();
        }
    }

    /**
     * The result of a write.
     *
     * @param micros when the texts came into force
     * @param count the number of changes of limits, including this one
     */
    record Written(String micros, String count) {}

    /** @param worker runs long tasks */
    ConfigFields(Connection connection, KeyNames names, @Nullable TimeSource virtualTime, Executor worker) {
        this.connection = connection;
        this.names = names;
        this.virtualTime = virtualTime;
        this.worker = worker;
    }

    /** Reads the number of changes of limits. */
    CompletableFuture<Changes> changes() {
        return run(
                        CommandType.HMGET,
                        Link.arguments().addKey(names.config()).add(COUNT).add(ENFORCED))
                .thenApply(reply -> new Changes(decoded(reply.get(0)), decoded(reply.get(1))));
    }

    /**
     * Reads the newest lines of the texts of limiters: from the version on that this process knows, or all lines if it knows
     * none of them.
     */
    CompletableFuture<Found> read(List<AgreedLimits> limiters) {
        return read(limiters, MOST_TRIES);
    }

    private CompletableFuture<Found> read(List<AgreedLimits> limiters, int tries) {
        return read(limiters, new Found("", new ArrayList<>(limiters.size())), tries);
    }

    private CompletableFuture<Found> read(List<AgreedLimits> limiters, Found before, int tries) {
        Link link = connection.link();
        if (link == null) {
            return CompletableFuture.failedFuture(NoAnswerException.notConnected());
        }
        int from = before.texts.size();
        List<AgreedLimits> some = limiters.subList(from, Math.min(limiters.size(), from + PIECE));
        List<byte[]> values = new ArrayList<>(2 * some.size());
        for (AgreedLimits limiter : some) {
            values.add(KeyNames.field(limiter.name()));
            values.add(bytes(limiter.isAgreed() ? HistoryText.start(limiter.versions()) : ""));
        }
        return link.list(Script.TAILS, List.of(names.config()), values).thenCompose(piece -> {
            String count = decoded(piece.get(0));
            if (from > 0 && !count.equals(before.count) && tries > 0) {
                return read(limiters, tries - 1);
            }
            piece.subList(1, piece.size()).forEach(text -> before.texts.add(decoded(text)));
            Found found = new Found(count, before.texts);
            return found.texts.size() < limiters.size()
                    ? read(limiters, found, tries)
                    : CompletableFuture.completedFuture(found);
        });
    }

    /**
     * Asks for the turn to write. When policies are published, all processes have the same limits to write at the same
     * moment, and it is enough if one of them does. A process that writes without its turn only wastes its work.
     *
     * @return false if another process writes
     */
    CompletableFuture<Boolean> takeTurn() {
        Link link = connection.link();
        if (link == null) {
            return CompletableFuture.failedFuture(NoAnswerException.notConnected());
        }
        CommandArgs<byte[], byte[]> arguments = Link.arguments()
                .addKey(names.writer())
                .add("1")
                .add("NX")
                .add("PX")
                .add(TURN_MILLIS);
        return link.run(CommandType.SET, Link.bytes(), arguments).thenApply(reply -> reply != null);
    }

    private void endTurn() {
        Link link = connection.link();
        if (link != null) {
            link.run(CommandType.UNLINK, Link.integer(), Link.arguments().addKey(names.writer()));
        }
    }

    /**
     * Changes texts, which all come into force at one moment.
     *
     * @param count the count that was read together with the earlier texts
     * @param changes by limiter
     * @return empty if another process has changed limits since; then nothing was written
     */
    CompletableFuture<Optional<Written>> write(String count, Map<String, HistoryText.Change> changes) {
        byte[] staged = names.staged(UUID.randomUUID().toString());
        CompletableFuture<List<byte[]>> known =
                run(CommandType.HKEYS, Link.arguments().addKey(names.config()));
        return now().thenCombineAsync(
                        known,
                        (now, fields) -> stage(count, staged, all(fields, changes, now))
                                .thenCompose(done -> done ? commit(count, now, staged, digest(changes)) : none()),
                        worker)
                .thenCompose(written -> written)
                .whenComplete((written, failure) -> endTurn());
    }

    /** The changes of all fields of the configuration; empty for a field that does not change. */
    private static Iterator<Map.Entry<String, Optional<HistoryText.Change>>> all(
            List<byte[]> fields, Map<String, HistoryText.Change> changes, String now) {
        Map<String, Optional<HistoryText.Change>> all = new LinkedHashMap<>();
        for (byte[] field : fields) {
            if (field[0] == ':') {
                all.put(decoded(field), Optional.empty());
            }
        }
        changes.forEach((limiter, change) -> all.put(decoded(KeyNames.field(limiter)), Optional.of(change.since(now))));
        return all.entrySet().iterator();
    }

    private static CompletableFuture<Optional<Written>> none() {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    /** The current time of Redis, or the virtual time, in microseconds. */
    private CompletableFuture<String> now() {
        TimeSource virtual = virtualTime;
        if (virtual != null) {
            return CompletableFuture.completedFuture(Long.toString(virtual.micros()));
        }
        return run(CommandType.TIME, Link.arguments())
                .thenApply(time -> Long.toString(
                        Long.parseLong(decoded(time.get(0))) * 1_000_000 + Long.parseLong(decoded(time.get(1)))));
    }

    private CompletableFuture<List<byte[]>> run(CommandType command, CommandArgs<byte[], byte[]> arguments) {
        Link link = connection.link();
        return link == null
                ? CompletableFuture.failedFuture(NoAnswerException.notConnected())
                : link.run(command, Link.list(), arguments);
    }

    /**
     * Writes the copy of the configuration, piece by piece.
     *
     * @param fields the changes of all fields; empty for a field that does not change
     * @return false if another process has changed limits meanwhile
     */
    private CompletableFuture<Boolean> stage(
            String count, byte[] staged, Iterator<Map.Entry<String, Optional<HistoryText.Change>>> fields) {
        List<byte[]> stay = new ArrayList<>();
        List<byte[]> change = new ArrayList<>(4 * WRITTEN_PIECE);
        for (int i = 0; i < WRITTEN_PIECE && fields.hasNext(); i++) {
            Map.Entry<String, Optional<HistoryText.Change>> next = fields.next();
            byte[] field = bytes(next.getKey());
            if (next.getValue().isEmpty()) {
                stay.add(field);
            } else {
                change.add(field);
                change.add(bytes(next.getValue().get().last()));
                change.add(bytes(next.getValue().get().how().code));
                change.add(bytes(next.getValue().get().line()));
            }
        }
        List<byte[]> values = new ArrayList<>(3 + stay.size() + change.size());
        values.add(bytes(count));
        values.add(bytes(Integer.toString(HistoryText.LONGEST)));
        values.add(bytes(Integer.toString(stay.size())));
        values.addAll(stay);
        values.addAll(change);
        return call(Script.STAGE, List.of(names.config(), staged), values)
                .thenCompose(done -> done.equals("1") && fields.hasNext()
                        ? stage(count, staged, fields)
                        : CompletableFuture.completedFuture(done.equals("1")));
    }

    /** A digest of changes, the same in all processes that make the same changes. */
    static String digest(Map<String, HistoryText.Change> changes) {
        StringBuilder text = new StringBuilder(64 * changes.size());
        new TreeMap<>(changes)
                .forEach((limiter, change) -> text.append(limiter)
                        .append('\n')
                        .append(change.how().code)
                        .append(change.line())
                        .append('\n'));
        return Script.sha1(text.toString());
    }

    private CompletableFuture<Optional<Written>> commit(String count, String now, byte[] staged, String digest) {
        byte[] deleted = names.staged(UUID.randomUUID().toString());
        List<byte[]> values = List.of(bytes(count), bytes(virtualTime == null ? "0" : "1"), bytes(now), bytes(digest));
        return call(Script.COMMIT, List.of(names.config(), staged, deleted), values)
                .thenApply(done -> done.equals("0") ? Optional.empty() : Optional.of(new Written(now, done)));
    }

    private CompletableFuture<String> call(Script script, List<byte[]> keys, List<byte[]> values) {
        Link link = connection.link();
        CompletableFuture<String> answer = new CompletableFuture<>();
        if (link == null) {
            answer.completeExceptionally(NoAnswerException.notConnected());
            return answer;
        }
        link.call(script, keys, values, (reply, failure) -> {
            if (failure == null) {
                answer.complete(decoded(reply));
            } else {
                answer.completeExceptionally(failure);
            }
        });
        return answer;
    }

    /** Reads the text of one limiter; empty if there is none. */
    CompletableFuture<String> read(String limiter) {
        Link link = connection.link();
        if (link == null) {
            return CompletableFuture.failedFuture(NoAnswerException.notConnected());
        }
        return link.run(
                        CommandType.HGET,
                        Link.bytes(),
                        Link.arguments().addKey(names.config()).add(KeyNames.field(limiter)))
                .thenApply(ConfigFields::decoded);
    }

    /**
     * Replaces the text of one limiter, if no other process has changed it.
     *
     * @param found the text that is replaced
     * @return the text that the limiter has now
     */
    CompletableFuture<String> replace(String limiter, String found, String text) {
        return call(
                Script.CONFIG,
                List.of(names.config()),
                List.of(KeyNames.field(limiter), bytes(found), bytes(text), bytes(virtualMicros())));
    }

    /** Puts a few limits in force at one moment; {@code enforce.lua} describes the values. Returns the texts. */
    CompletableFuture<List<String>> enforce(List<byte[]> limits) {
        Link link = connection.link();
        if (link == null) {
            return CompletableFuture.failedFuture(NoAnswerException.notConnected());
        }
        List<byte[]> values = new ArrayList<>(2 + limits.size());
        values.add(bytes(virtualMicros()));
        values.add(bytes(Integer.toString(HistoryText.LONGEST)));
        values.addAll(limits);
        return link.list(Script.ENFORCE, List.of(names.config()), values)
                .thenApply(texts -> texts.stream().map(ConfigFields::decoded).toList());
    }

    /** The virtual time in microseconds; empty for the clock of Redis. */
    private String virtualMicros() {
        TimeSource virtual = virtualTime;
        return virtual == null ? "" : Long.toString(virtual.micros());
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String decoded(byte @Nullable [] reply) {
        return reply == null ? "" : new String(reply, StandardCharsets.UTF_8);
    }
}
